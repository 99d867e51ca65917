import { dirname } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { type Agent, createAgent, type Model, resolveModel } from '../agent/index.ts';
import type { Line, LineAsker, OpenLineOptions } from '../host/index.ts';
import { openHere, type WhereOptions } from './open.ts';
import { readCount } from './options.ts';
import { sessionOf } from './session.ts';
import { clean } from './terminal/clean.ts';
import type { Io } from './terminal/io.ts';

/** The options of the commands that work. */
export interface WorkOptions extends WhereOptions {
  readonly model?: string;
  readonly allow?: readonly string[];
  readonly continue?: boolean;
  /** `true` without an id. */
  readonly resume?: string | true;
  readonly trace?: boolean;
  /** False for `--no-hooks`. */
  readonly hooks?: boolean;
  readonly keepGoing?: boolean;
  readonly maxIterations?: string;
}

/** A line, and an agent that works on it. */
export interface Workspace {
  readonly line: Line;
  readonly agent: Agent;
  readonly model: Model;
  close(): Promise<void>;
}

/**
 * Opens a line and puts an agent on it, as the options and the configuration say. `watch`: hooks are loaded again when
 * their files change, for what lasts longer than a task.
 */
export async function openWorkspace(
  io: Io,
  options: WorkOptions,
  asker: LineAsker | undefined,
  watch = false,
): Promise<Workspace> {
  const maxIterations = readCount('--max-iterations', options.maxIterations);
  const more: Partial<OpenLineOptions> = {
    watch,
    ...(asker === undefined ? {} : { asker }),
    ...(options.allow === undefined ? {} : { allow: options.allow }),
    ...(options.hooks === false ? { noHooks: true } : {}),
    ...(options.keepGoing === true ? { keepGoing: true } : {}),
  };
  const line = await openHere(io, options, more);
  try {
    tellUntrusted(io, line);
    const model = modelOf(io, options, line);
    const resumed = await sessionFor(line, options);
    const { agent: config, model: configured } = line.config;
    const limit = maxIterations ?? config.maxIterations;
    const agent = createAgent({
      engine: line,
      model,
      cwd: line.cwd,
      env: io.env,
      sessions: line.records.sessions,
      system: config.system,
      parallelTools: config.parallelTools,
      surface: 'terminal',
      isInteractive: io.interactive,
      modelOptions: {
        ...(configured?.maxOutputTokens === undefined ? {} : { max_tokens: configured.maxOutputTokens }),
        ...(configured?.temperature === undefined ? {} : { temperature: configured.temperature }),
      },
      ...(resumed === undefined ? {} : { sessionId: resumed }),
      ...(config.tools === undefined ? {} : { allowedTools: config.tools }),
      ...(config.compactAtTokens === undefined ? {} : { compactAtTokens: config.compactAtTokens }),
      ...(limit === undefined ? {} : { maxIterations: limit }),
    });
    await agent.ready();
    for (const problem of agent.problems) io.err(`${io.errColors.yellow('!')} ${clean(problem.message)}\n`);
    return {
      line,
      agent,
      model,
      close: async () => {
        await agent.close('other');
        await line.close();
      },
    };
  } catch (error) {
    await line.close();
    throw error;
  }
}

/** The model of `--model`, else of the configuration. A `script:` path is relative to where it was written. */
function modelOf(io: Io, options: WorkOptions, line: Line): Model {
  if (options.model !== undefined) return resolveModel(options.model, { env: io.env, cwd: io.cwd });
  const { model } = line.config;
  if (model === undefined) {
    throw new TrotlineError('agent.no-model', {
      what: 'no model is configured and none was named',
      remedy:
        'Name one: --model anthropic/claude-sonnet-4-5, --model openai/gpt-5, or "model" in trotline.json. ' +
        'Without a key, see it work with: trotline demo',
    });
  }
  return resolveModel(model.name, {
    env: io.env,
    ...(model.place.file === undefined ? {} : { cwd: dirname(model.place.file) }),
    ...(model.baseUrl === undefined ? {} : { baseUrl: model.baseUrl }),
    ...(model.apiKeyEnv === undefined ? {} : { apiKeyEnv: model.apiKeyEnv }),
  });
}

async function sessionFor({ records, cwd }: Line, options: WorkOptions): Promise<string | undefined> {
  if (typeof options.resume === 'string') return (await sessionOf(records.sessions, options.resume)).id;
  if (options.continue !== true && options.resume !== true) return undefined;
  const latest = await records.sessions.latest(cwd);
  if (latest === undefined) throw new TrotlineError('cli.no-session', { what: `no session was held in ${cwd} yet` });
  return latest.id;
}

/** A project whose hooks do not run must not look as if they did. */
function tellUntrusted(io: Io, { owners }: Line): void {
  const untrusted = owners.filter(({ state }) => state === 'untrusted');
  if (untrusted.length === 0) return;
  const names = clean(untrusted.map(({ name }) => name).join(', '));
  io.err(
    `${io.errColors.yellow('!')} The project is not trusted, so its hooks do not run: ${names}. See trotline trust.\n`,
  );
}
