import {
  createEngine,
  type Engine,
  type EventMap,
  type ModelChunk,
  type ModelResponse,
  type Notice,
} from '@trotline/engine';
import { afterEach } from 'vitest';
import { createAgent } from '../../../src/agent/loop/agent.ts';
import type { Agent, AgentOptions } from '../../../src/agent/loop/types.ts';
import { createScriptModel } from '../../../src/agent/models/script.ts';
import { parseScript } from '../../../src/agent/models/script-file.ts';
import type { Model, ModelRequest } from '../../../src/agent/models/types.ts';
import { tempDir } from './temp.ts';

export type Turns = readonly Readonly<Record<string, unknown>>[];

/** A call of a script's turn. */
export const call = (name: string, input: object): { name: string; input: object } => ({ name, input });
export const bash = (command: string): { name: string; input: object } => call('Bash', { command });

/** A scripted model that also keeps each request it was sent. */
export function scripted(turns: Turns): { model: Model; sent: ModelRequest[] } {
  const script = createScriptModel(parseScript(JSON.stringify({ turns }), 'test.json'));
  const sent: ModelRequest[] = [];
  const model: Model = {
    ...script,
    stream(request, context) {
      sent.push(request);
      return script.stream(request, context);
    },
    sibling: (id) => ({ ...model, id }),
  };
  return { model, sent };
}

type Request = EventMap['llm.request']['e'];
type Answer = AsyncGenerator<ModelChunk, ModelResponse, undefined>;

/** A streaming hook on model requests. */
export function onModel(engine: Engine, hook: (e: Request, next: (e: Request) => Answer) => Answer): void {
  engine.on('llm.request', async function* (_$: unknown, e: Request, next: (e: Request) => Answer) {
    return yield* hook(e, next);
  } as never);
}

export interface Stage {
  readonly agent: Agent;
  readonly engine: Engine;
  readonly cwd: string;
  readonly sent: readonly ModelRequest[];
  readonly notices: readonly Notice[];
}

const opened: Stage[] = [];
afterEach(async () => {
  for (const { agent, engine } of opened.splice(0)) {
    await agent.close();
    await engine.close();
  }
});

/** An agent on a real engine, with a script for a model and the real tools in a folder of its own. */
export function stage(turns: Turns, options: Partial<AgentOptions> = {}, seat?: (engine: Engine) => void): Stage {
  const engine = options.engine ?? createEngine();
  const notices: Notice[] = [];
  engine.observe((seen) => {
    if (seen.kind === 'notice') notices.push(seen.notice);
  });
  seat?.(engine);
  const cwd = options.cwd ?? tempDir();
  const { model, sent } = scripted(turns);
  const agent = createAgent({ model, ...options, engine, cwd });
  const made = { agent, engine, cwd, sent, notices };
  opened.push(made);
  return made;
}
