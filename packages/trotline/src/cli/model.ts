import { dirname } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { type Model, type ResolveOptions, resolveModel } from '../agent/index.ts';
import type { Line } from '../host/index.ts';
import type { Io } from './terminal/io.ts';

type Configured = NonNullable<Line['config']['model']>;

/** A model by name, with what the configuration says of its server. */
export interface ChosenModel {
  readonly name: string;
  readonly options: ResolveOptions;
}

/**
 * The model of `--model`, else of the configuration. The configured address and key hold for every model of the same
 * provider, so that another one of the server can be named. A `script:` path is relative to where it was written.
 */
export function chooseModel(
  io: Pick<Io, 'env' | 'cwd'>,
  named: string | undefined,
  configured: Configured | undefined,
): ChosenModel | undefined {
  const name = named ?? configured?.name;
  if (name === undefined) return undefined;
  const { file } = named === undefined ? (configured?.place ?? {}) : {};
  const server = configured !== undefined && providerOf(name) === providerOf(configured.name) ? configured : undefined;
  return {
    name,
    options: {
      env: io.env,
      cwd: file === undefined ? io.cwd : dirname(file),
      ...(server?.baseUrl === undefined ? {} : { baseUrl: server.baseUrl }),
      ...(server?.apiKeyEnv === undefined ? {} : { apiKeyEnv: server.apiKeyEnv }),
    },
  };
}

/** The chosen model. Throws `agent.no-model` where there is none, and what `resolveModel` throws. */
export function modelOf(chosen: ChosenModel | undefined): Model {
  if (chosen !== undefined) return resolveModel(chosen.name, chosen.options);
  throw new TrotlineError('agent.no-model', {
    what: 'no model is configured and none was named',
    remedy:
      'Name one: --model anthropic/claude-sonnet-4-5, --model openai/gpt-5, or "model" in trotline.json. ' +
      'Without a key, see it work with: trotline demo',
  });
}

/** `local` of `local/x`; `script:` names have none. */
const providerOf = (name: string): string | undefined =>
  name.startsWith('script:') || !name.includes('/') ? undefined : name.slice(0, name.indexOf('/'));
