import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrotlineError } from '@trotline/engine';
import { createAgent, type Model, resolveModel, type TurnResult } from '../../agent/index.ts';
import { openLine } from '../../host/index.ts';
import type { Context } from '../command.ts';
import { createDemoAsker } from '../demo/asker.ts';
import { changesText } from '../demo/changes.ts';
import { type Effect, lookAtEffects } from '../demo/effects.ts';
import { createLedger, type HookTotals, totalsText } from '../demo/ledger.ts';
import { demoFiles } from '../demo/places.ts';
import { introText, nextText } from '../demo/words.ts';
import { printError } from '../errors.ts';
import { exit } from '../exit.ts';
import { onInterrupt } from '../interrupt.ts';
import { createJsonView, printJson } from '../render/ndjson.ts';
import { createTurnView } from '../render/turn.ts';
import { withResults } from '../results.ts';
import { statusOf } from '../status.ts';
import type { Io } from '../terminal/io.ts';
import { isYes, noAnswer, terminalPrompt } from '../terminal/lines.ts';

interface Options {
  readonly live?: boolean;
  readonly model?: string;
  readonly keep?: boolean;
}

const task =
  'Summarise the sales of this folder in summary.md, with the sum and its currency. Then tidy up: remove the old archive folder.';

/** The models that a key in the environment stands for. */
const liveModels = [
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-4-5'],
  ['OPENAI_API_KEY', 'openai/gpt-5-mini'],
] as const;

/** `trotline demo`, which is also `npm start` */
export async function demo(context: Context, _: readonly string[], options: Options): Promise<number> {
  const { io, json } = context;
  const live = options.live === true || options.model !== undefined;
  const status = await perform(context, options, live ? (options.model ?? liveModel(io)) : undefined);
  const keyed = liveModels.find(([name]) => (io.env[name] ?? '') !== '');
  if (live || json || status !== exit.done || keyed === undefined) return status;
  const [name, model] = keyed;
  if (!io.interactive) {
    io.err(`${name} is set: trotline demo --live does the same with a live model.\n`);
    return status;
  }
  const answer = await terminalPrompt(io)(
    `${name} is set. The same with ${model}? [y/N] `,
    AbortSignal.timeout(30_000),
  ).catch((): typeof noAnswer => noAnswer);
  return isYes(answer) ? perform(context, options, model) : status;
}

function liveModel({ env }: Io): string {
  const found = liveModels.find(([name]) => (env[name] ?? '') !== '');
  if (found !== undefined) return found[1];
  const names = liveModels.map(([name]) => name).join(' nor ');
  throw new TrotlineError('agent.no-key', { what: `a live model needs a key, and neither ${names} is set` });
}

async function perform({ io, json, stdoutGone }: Context, options: Options, live: string | undefined): Promise<number> {
  const files = demoFiles();
  const root = mkdtempSync(join(tmpdir(), 'trotline-demo-'));
  const folder = join(root, 'shop');
  try {
    cpSync(join(files, 'start'), folder, { recursive: true });
    cpSync(join(files, 'project'), join(root, 'line'), { recursive: true });
    mkdirSync(join(root, 'home'), { mode: 0o700 });
    const model = resolveModel(live ?? `script:${join(root, 'line', 'turns.json')}`, { env: io.env });
    return await work(io, json, stdoutGone, { root, folder, model, live: live !== undefined });
  } finally {
    if (options.keep === true) io.err(`The folder stays: ${root}\n`);
    else rmSync(root, { recursive: true, force: true });
  }
}

interface Stage {
  readonly root: string;
  readonly folder: string;
  readonly model: Model;
  readonly live: boolean;
}

async function work(
  io: Io,
  json: boolean,
  stdoutGone: AbortSignal,
  { root, folder, model, live }: Stage,
): Promise<number> {
  const { outColors: c } = io;
  let allowed = false;
  const asker = createDemoAsker(io, io.interactive ? terminalPrompt(io) : undefined);
  const line = await openLine({
    cwd: folder,
    config: join(root, 'line', 'trotline.json'),
    home: join(root, 'home'),
    env: io.env,
    asker: {
      ask: async (question, signal) => {
        const answer = await asker.ask(question, signal);
        allowed ||= answer.decision === 'allow';
        return answer;
      },
    },
  });
  const view = (json ? createJsonView : createTurnView)(io, { trace: false });
  const agent = createAgent({
    engine: json ? line : withResults(line, (id, outcome) => view.result(id, outcome)),
    model,
    cwd: folder,
    env: io.env,
    sessions: line.records.sessions,
    maxIterations: 20,
  });
  const ledger = createLedger();
  const observer = line.observe((seen) => {
    ledger.observed(seen);
    view.observed(seen);
    if (!json) io.err(changesText(seen, io.errColors));
  });
  const interrupts = onInterrupt(agent, json ? () => {} : io.err, stdoutGone);
  try {
    if (!json)
      io.out(
        `${c.bold('A real agent at work')} ${c.dim(live ? model.id : 'with real tools and real hooks; only the model’s words were written beforehand')}\n${c.dim(`in ${folder}`)}\n\n${introText(line.owners, c)}\n${c.bold('›')} ${task}\n\n`,
      );
    const result = await agent.submit(task, { onChunk: view.chunk });
    await new Promise((resolve) => setImmediate(resolve));
    view.end(result);
    if (result.error !== undefined && !json) printError(io, result.error, false);
    if (interrupts.status() !== undefined) return interrupts.status() ?? exit.interrupted;
    const effects = await lookAtEffects({ folder, records: line.records, sessionId: agent.sessionId, allowed });
    const totals = ledger.totals();
    if (json) printJson(io, { type: 'demo', hooks: totals, effects });
    else io.out(report(totals, effects, io));
    const status = verdict(result, effects);
    if (!json && status === exit.done) io.out(nextText(io));
    return status;
  } finally {
    observer();
    interrupts.stop();
    await agent.close('other');
    await line.close();
  }
}

function report(totals: readonly HookTotals[], effects: readonly Effect[], { outColors: c }: Io): string {
  const marks = effects.map(({ what, holds }) => `  ${holds ? c.green('✔') : c.red('✖')} ${what}\n`).join('');
  return `\n${c.bold('What each hook saw and did')}\n${totalsText(totals, c)}\n${c.bold('What is so in the world, looked at')}\n${marks}`;
}

function verdict(result: TurnResult, effects: readonly Effect[]): number {
  if (result.status !== 'completed') return statusOf(result);
  const missing = effects.filter(({ holds }) => !holds).map(({ what }) => what);
  if (missing.length === 0) return exit.done;
  throw new TrotlineError('cli.demo-failed', { what: `this is not so: ${missing.join('; ')}` });
}
