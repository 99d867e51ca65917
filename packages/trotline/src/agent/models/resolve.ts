import { resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { fetchWith } from './extra-body.ts';
import { askProvider, type ProviderModel } from './provider.ts';
import { type RetryPolicy, retryPolicy, withRetries } from './retry.ts';
import { createScriptModel } from './script.ts';
import type { Model } from './types.ts';

/** Where a model's address and key come from. */
export interface ResolveOptions {
  /** Absent: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The address of the server, over the provider's own and its variable. */
  readonly baseUrl?: string;
  /** The variable that holds the key, over the provider's own. Never the key. */
  readonly apiKeyEnv?: string;
  /** What a `script:` path is relative to. Absent: the process's working directory. */
  readonly cwd?: string;
  readonly retry?: Partial<RetryPolicy>;
}

interface Target {
  readonly url: string;
  readonly key: string | undefined;
  make(modelId: string, fetch?: typeof globalThis.fetch): Promise<ProviderModel>;
}

/**
 * A model by its name: `anthropic/…`, `openai/…`, any other `provider/…` with `baseUrl` for a server that speaks OpenAI's
 * chat completions, or `script:FILE`. The provider's package is loaded with the first request. Throws `agent.no-model`,
 * `agent.no-key`, `agent.script-file`.
 */
export function resolveModel(name: string, options: ResolveOptions = {}): Model {
  if (name.startsWith('script:')) {
    return createScriptModel(resolve(options.cwd ?? process.cwd(), name.slice('script:'.length)));
  }
  const slash = name.indexOf('/');
  const [provider, modelId] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (provider === '' || modelId === '') {
    throw new TrotlineError('agent.no-model', { what: `"${name}" names no model`, expected: 'provider/model' });
  }
  const target = targetOf(provider, name, options);
  const policy = { ...retryPolicy, ...options.retry };
  let made: Promise<ProviderModel> | undefined;
  return {
    id: name,
    async *stream(request, context) {
      const { extra_body } = request.options;
      made ??= target.make(modelId);
      const model = await (extra_body === undefined ? made : target.make(modelId, fetchWith(extra_body)));
      const secrets = target.key === undefined ? [] : [target.key];
      return yield* withRetries((signal) => askProvider(model, request, signal), policy, context, {
        url: target.url,
        secrets,
      });
    },
    sibling: (id) => resolveModel(id.includes('/') ? id : `${provider}/${id}`, options),
  };
}

function targetOf(provider: string, name: string, options: ResolveOptions): Target {
  const env = options.env ?? process.env;
  const variable = (own: string): string => options.apiKeyEnv ?? own;
  const key = (own: string): string => {
    const value = env[variable(own)];
    if (value !== undefined && value !== '') return value;
    throw new TrotlineError('agent.no-key', {
      what: `${name} needs a key, and ${variable(own)} is not set`,
      remedy: `Set ${variable(own)}, or see it all run without a key: trotline demo, or --model script:FILE.`,
    });
  };
  switch (provider) {
    case 'anthropic': {
      const url = versioned(options.baseUrl ?? env['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com', 'always');
      const apiKey = key('ANTHROPIC_API_KEY');
      return {
        url,
        key: apiKey,
        make: async (id, fetch) => {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          return createAnthropic({ baseURL: url, apiKey, ...(fetch === undefined ? {} : { fetch }) })(id);
        },
      };
    }
    case 'openai': {
      const url = versioned(options.baseUrl ?? env['OPENAI_BASE_URL'] ?? 'https://api.openai.com', 'bare');
      return compatible(url, key('OPENAI_API_KEY'), new URL(url).hostname === 'api.openai.com');
    }
    default: {
      if (options.baseUrl === undefined) {
        throw new TrotlineError('agent.no-model', {
          what: `"${name}" names the provider ${provider}, of which no address is known`,
          expected: 'anthropic/…, openai/…, or an address for it',
          remedy:
            'Write "base_url" beside "name" under "model" in trotline.json; for anthropic/… and openai/… the variables ' +
            'ANTHROPIC_BASE_URL and OPENAI_BASE_URL do as well.',
        });
      }
      // A key goes only where it was meant to go: no other provider's variable is read for an address of somebody's own.
      const named = options.apiKeyEnv === undefined ? undefined : key(options.apiKeyEnv);
      return compatible(versioned(options.baseUrl, 'bare'), named, false);
    }
  }
}

function compatible(url: string, apiKey: string | undefined, isOpenAi: boolean): Target {
  return {
    url,
    key: apiKey,
    async make(id, fetch) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible',
        baseURL: url,
        includeUsage: true,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(isOpenAi ? { transformRequestBody: renameMaxTokens } : {}),
        ...(fetch === undefined ? {} : { fetch }),
      })(id);
    },
  };
}

/** OpenAI's own server refuses `max_tokens` for its newer models; other servers know no other name. */
function renameMaxTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

/** The address with `/v1`: always, or only where it has no path of its own. */
function versioned(address: string, when: 'always' | 'bare'): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new TrotlineError('agent.no-model', {
      what: `"${address}" is no address of a model server`,
      expected: 'http(s)://…',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TrotlineError('agent.no-model', {
      what: `"${address}" is no address of a model server`,
      expected: 'http(s)://…',
    });
  }
  const path = url.pathname.replace(/\/+$/, '');
  const missing = when === 'always' ? !path.endsWith('/v1') : path === '';
  return `${url.origin}${path}${missing ? '/v1' : ''}`;
}
