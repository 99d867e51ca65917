import { randomUUID } from 'node:crypto';
import { isControl, isHardAbort } from '@trotline/engine';
import { builtinTools } from '../tools/builtin.ts';
import type { McpConnections } from '../tools/mcp.ts';
import { createBackground } from './background.ts';
import { runTool } from './batch.ts';
import { compact } from './compact.ts';
import { beginTurn } from './complete.ts';
import { definitionsOf, type Loop, noUsage, type Shared, type Turn } from './context.ts';
import { createInbox } from './inbox.ts';
import { answerBegunCalls, leaveOpenCalls } from './left.ts';
import { openMain } from './open.ts';
import { agentOps } from './ops.ts';
import { isUnfinished } from './pairs.ts';
import { steerTurn, submitPrompt } from './prompt.ts';
import { raise } from './raise.ts';
import { raised } from './raised.ts';
import { step } from './step.ts';
import { estimateTokens } from './tokens.ts';
import { createTurns } from './turns.ts';
import type { Agent, AgentOptions, SubmitOptions } from './types.ts';

/**
 * An agent on a line that is there already. Every model request goes through `engine.model`, every tool call through
 * `engine.tool`, its subagents' too; there is no other way to either.
 */
export function createAgent(options: AgentOptions): Agent {
  const { engine, model } = options;
  const tools = options.tools ?? builtinTools();
  const shared = sharedOf(options, (thrown) => {
    if (!isHardAbort(thrown)) return;
    turns.shut(`the hook ${thrown.hook} ended the agent: ${thrown.reason}`);
    turns.interrupt('now', thrown.reason);
  });
  const { sessionId } = shared;
  const turns = createTurns(shared);
  let loop: Loop | undefined;
  let mcp: McpConnections | undefined;
  let opening: Promise<Loop> | undefined;

  async function open(): Promise<Loop> {
    try {
      const opened = await openMain(options, shared, tools, (connections) => {
        mcp = connections;
      });
      turns.begin(opened.turns, opened.failed);
      loop = opened.loop;
      return loop;
    } catch (error) {
      // What the disk refused may work the next time; what a hook refused is refused.
      opening = undefined;
      if (!isControl(error)) throw error;
      turns.shut(`the hook ${error.hook} kept the session from starting: ${error.reason}`);
      turns.claim();
      throw error;
    }
  }

  const main = (): Promise<Loop> => {
    opening ??= open();
    return opening;
  };

  const agent: Agent = {
    sessionId,
    model,
    startedAt: Date.now(),
    get tools() {
      return loop === undefined ? [] : definitionsOf(loop);
    },
    get runningTurnId() {
      return turns.running()?.turnId;
    },
    get messages() {
      return loop?.conversation.messages() ?? [];
    },
    get problems() {
      return mcp?.failures ?? [];
    },
    async ready() {
      await main();
    },
    async submit(text, submitted = {}) {
      turns.claim();
      const prompt = { text, context: submitted.context };
      return turns.run(await main(), text, submitted, async (turn) => {
        await leaveOpenCalls(turn, options.calls);
        return submitPrompt(turn, prompt, options.sessions);
      });
    },
    async resume(submitted = {}) {
      turns.claim();
      const opened = await main();
      if (!isUnfinished(turns.from(opened.conversation))) return undefined;
      return turns.run(opened, '', submitted, async (turn) => {
        await beginTurn(turn, '');
        await answerBegunCalls(turn, options.calls);
        return undefined;
      });
    },
    async steer(text) {
      const turn = turns.running();
      return turn === undefined ? 'idle' : steerTurn(turn, text);
    },
    interrupt: (how, reason = 'the person interrupted the turn') => turns.interrupt(how, reason),
    idle: () => turns.idle(),
    async ask(question, submitted = {}) {
      const opened = await main();
      const messages = [...opened.conversation.messages(), { role: 'user' as const, content: question }];
      const { text } = await step(aside(opened, submitted), { messages, tools: [] });
      return text;
    },
    async compact(instructions) {
      turns.claim();
      return turns.hold(await main(), (turn) =>
        compact(turn, {
          trigger: 'manual',
          reason: 'asked',
          keepTokens: Math.floor(estimateTokens(turn.loop.conversation.messages()) / 4),
          ...(instructions === undefined ? {} : { instructions }),
        }),
      );
    },
    async close(reason = 'other') {
      turns.shut('the agent was closed');
      await Promise.all([turns.close(), shared.background.close()]);
      const opened = await opening?.catch(() => undefined);
      if (opened !== undefined) {
        const end = { reason, sessionId, resume: { id: sessionId } };
        await raise(engine, 'session.end', end, () => ({ sessionId })).catch(() => {
          // Nothing that a hook says keeps an agent open; the line has traced it.
        });
      }
      unserve();
      await Promise.allSettled([mcp?.close(), ...tools.map((tool) => tool.close?.())]);
    },
  };

  engine.raises(...raised);
  const ops = agentOps(agent, { main, turns, options });
  const unserve = engine.serve(ops, (name) => {
    const tool = loop?.isAllowed(name) ? loop.tools.get(name) : undefined;
    if (loop === undefined || tool === undefined) return undefined;
    const { inputSchema, isReadOnly } = tool;
    return { inputSchema, isReadOnly, run: runTool.bind(undefined, loop) };
  });
  return agent;
}

function sharedOf(options: AgentOptions, onThrow: (thrown: unknown) => void): Shared {
  return {
    engine: options.engine,
    cwd: options.cwd,
    env: options.env ?? process.env,
    sessionId: options.sessionId ?? randomUUID(),
    modelOptions: options.modelOptions ?? {},
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    parallelTools: options.parallelTools ?? false,
    maxIterations: options.maxIterations ?? 100,
    ...(options.compactAtTokens === undefined ? {} : { compactAtTokens: options.compactAtTokens }),
    maxResultChars: options.maxResultChars ?? 200_000,
    system: options.system ?? [],
    surface: options.surface ?? null,
    sectionCache: new Map(),
    agents: new Map(),
    background: createBackground(onThrow),
    iterations: 0,
  };
}

/** A turn of one request that nobody is told of. */
function aside(loop: Loop, { signal, onChunk }: SubmitOptions): Turn {
  return {
    loop,
    turnId: `main-aside-${randomUUID().slice(0, 8)}`,
    signal: signal ?? new AbortController().signal,
    inbox: createInbox(),
    ...(onChunk === undefined ? {} : { onChunk }),
    index: 0,
    usage: noUsage,
    tokens: 0,
  };
}
