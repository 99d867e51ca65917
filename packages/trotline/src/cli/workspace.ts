import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { type Agent, type AgentOptions, createAgent, type McpServer, type Model } from '../agent/index.ts';
import { CONFIG_NAME, findProject, homeFolder, unknownTool } from '../config/index.ts';
import type { Line, LineAsker, OpenLineOptions } from '../host/index.ts';
import { chooseModel, modelOf } from './model.ts';
import { folderOf, openHere, type WhereOptions } from './open.ts';
import { readCount } from './options.ts';
import { type ResultListener, withResults } from './results.ts';
import { sessionOf } from './session.ts';
import { clean, oneLine } from './terminal/clean.ts';
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

/** What a command adds to what the options and the configuration say. */
export interface WorkspaceOptions {
  /** Whom to ask. Absent: nobody can be asked, and a question is a no. */
  readonly asker?: LineAsker | undefined;
  /** Hooks are loaded again when their files change, for what lasts longer than a task. */
  readonly watch?: boolean;
  /** Told what came of each call. */
  readonly onResult?: ResultListener;
  /** How turns that hooks submit are shown. */
  readonly ownTurn?: AgentOptions['ownTurn'];
}

/** Opens a line and puts an agent on it, as the options and the configuration say. */
export async function openWorkspace(
  io: Io,
  options: WorkOptions,
  { asker, watch = false, onResult, ownTurn }: WorkspaceOptions = {},
): Promise<Workspace> {
  const maxIterations = readCount('--max-iterations', options.maxIterations);
  const more: Partial<OpenLineOptions> = {
    watch,
    ...(asker === undefined ? {} : { asker }),
    ...(options.allow === undefined ? {} : { allow: options.allow }),
    ...(options.hooks === false ? { noHooks: true } : {}),
    ...(options.keepGoing === true ? { keepGoing: true } : {}),
  };
  tellOtherConfig(io, options);
  tellWaysOut(io, options);
  const line = await openHere(io, options, more);
  try {
    const model = modelOf(chooseModel(io, options.model, line.config.model));
    const resumed = await sessionFor(line, options);
    const { agent: config, model: configured } = line.config;
    const limit = maxIterations ?? config.maxIterations;
    const agent = createAgent({
      engine: onResult === undefined ? line : withResults(line, onResult),
      model,
      cwd: line.cwd,
      env: io.env,
      sessions: line.records.sessions,
      calls: line.records.decisions,
      mcpServers: serversOf(config.mcpServers),
      system: config.system,
      parallelTools: config.parallelTools,
      surface: 'terminal',
      isInteractive: io.interactive,
      modelOptions: {
        ...(configured?.maxOutputTokens === undefined ? {} : { max_tokens: configured.maxOutputTokens }),
        ...(configured?.temperature === undefined ? {} : { temperature: configured.temperature }),
        ...(configured?.options === undefined ? {} : { extra_body: configured.options }),
      },
      ...(ownTurn === undefined ? {} : { ownTurn }),
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

async function sessionFor({ records, cwd }: Line, options: WorkOptions): Promise<string | undefined> {
  if (typeof options.resume === 'string') return (await sessionOf(records.sessions, options.resume)).id;
  if (options.continue !== true && options.resume !== true) return undefined;
  const latest = await records.sessions.latest(cwd);
  if (latest === undefined) throw new TrotlineError('cli.no-session', { what: `no session was held in ${cwd} yet` });
  return latest.id;
}

/** The servers to start, as the agent takes them. */
function serversOf(entries: Line['config']['agent']['mcpServers']): Readonly<Record<string, McpServer>> {
  return Object.fromEntries(
    entries.flatMap(({ name, enabled, command: [command, ...args], env, dir }) =>
      enabled && command !== undefined ? [[name, { command, args, env, cwd: dir }]] : [],
    ),
  );
}

/** What takes guards off, or was meant to allow something and does not, is said before anything runs. */
function tellWaysOut(io: Io, { hooks, allow = [] }: WorkOptions): void {
  const tell = (text: string): void => io.err(`${io.errColors.yellow('!')} ${text}\n`);
  if (hooks === false) tell('--no-hooks: no hook of any file is on the line. Rules still hold, and it is recorded.');
  for (const flag of allow) {
    const tool = flag.split(':', 1)[0] ?? '';
    // What is written wrongly is an error of its own.
    const strange = /^[\w*?-]+$/.test(tool) ? unknownTool(tool) : undefined;
    if (strange !== undefined) tell(`--allow ${oneLine(flag, 100)}: ${oneLine(strange, 200)}`);
  }
}

/** A folder to work in that has a configuration of its own looks guarded by it, and is not. */
function tellOtherConfig(io: Io, options: WorkOptions): void {
  if (options.cwd === undefined) return;
  const there = join(folderOf(io, options), CONFIG_NAME);
  const used =
    options.config === undefined
      ? findProject(io.cwd, join(homeFolder(undefined, io.env), CONFIG_NAME)).found
      : resolve(io.cwd, options.config);
  if (!existsSync(there) || (used !== undefined && realpathSync(there) === realPath(used))) return;
  const place = oneLine(there, 200);
  io.err(
    `${io.errColors.yellow('!')} ${place} is not used: --cwd says only where tools work. Name it with --config.\n`,
  );
}

/** Links resolved, where the file is there. */
const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : file);
