import { randomUUID } from 'node:crypto';
import { TrotlineError } from '@trotline/engine';
import type { Message } from '../models/types.ts';
import { builtinTools } from '../tools/builtin.ts';
import { connectMcp, type McpConnections } from '../tools/mcp.ts';
import { allowList } from './allow.ts';
import { runTool } from './batch.ts';
import { compact } from './compact.ts';
import { beginTurn, completeTurn } from './complete.ts';
import { definitionsOf, type Loop, noUsage, type Shared, type Turn } from './context.ts';
import type { Conversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { describe, type Failed, offer, openConversation } from './open.ts';
import { agentOps } from './ops.ts';
import { unanswered } from './pairs.ts';
import { notify, raise } from './raise.ts';
import { toolsOf } from './spawn.ts';
import { step } from './step.ts';
import { systemPrompt } from './system.ts';
import { estimateTokens } from './tokens.ts';
import { answerBegunCalls } from './turn.ts';
import type { Agent, AgentOptions, SubmitOptions, TurnResult } from './types.ts';

interface Running {
  readonly turn: Turn;
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

/**
 * An agent on a line that is there already. Every model request goes through `engine.model`, every tool call through
 * `engine.tool`, its subagents' too; there is no other way to either.
 */
export function createAgent(options: AgentOptions): Agent {
  const { engine, cwd, model } = options;
  const sessionId = options.sessionId ?? randomUUID();
  const tools = options.tools ?? builtinTools();
  const shared: Shared = {
    engine,
    cwd,
    env: options.env ?? process.env,
    sessionId,
    modelOptions: options.modelOptions ?? {},
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    parallelTools: options.parallelTools ?? false,
    maxIterations: options.maxIterations ?? 100,
    ...(options.compactAtTokens === undefined ? {} : { compactAtTokens: options.compactAtTokens }),
    maxResultChars: options.maxResultChars ?? 200_000,
    system: options.system ?? [],
    iterations: 0,
  };
  let loop: Loop | undefined;
  let mcp: McpConnections | undefined;
  let readied: Promise<Loop> | undefined;
  let running: Running | undefined;
  let turns = 0;
  let closed: string | undefined;
  let failed: Failed | undefined;

  async function start(): Promise<Loop> {
    const { conversation, pending } = await openConversation(options, shared, sessionId);
    failed = pending;
    turns = conversation.messages().filter(({ role }) => role === 'user').length;
    mcp = await connectMcp(options.mcpServers ?? {}, cwd, (name, data) => notify(engine, name, data));
    const session = { cwd, surface: options.surface ?? null, isInteractive: options.isInteractive ?? false };
    await raise(engine, 'session.start', session, () => ({ cwd }));
    const offered = await offer(options);
    const main: Loop = {
      shared,
      depth: 0,
      model,
      systemPrompt: systemPrompt(options.basePrompt, cwd, shared.system),
      tools: await describe(
        engine,
        toolsOf([...tools, ...mcp.tools], offered, () => main, 0),
      ),
      isAllowed: allowList(options.allowedTools),
      conversation,
    };
    loop = main;
    return main;
  }

  const opened = (): Promise<Loop> => {
    readied ??= start();
    return readied;
  };

  function claim(): void {
    if (closed !== undefined) throw new TrotlineError('agent.closed', { what: closed });
    if (running !== undefined) throw new TrotlineError('agent.busy', { what: 'a turn is running' });
  }

  function makeTurn(main: Loop, { signal, onChunk }: SubmitOptions): { turn: Turn; abort: AbortController } {
    const abort = new AbortController();
    const turn: Turn = {
      loop: main,
      turnId: `main-turn-${++turns}`,
      signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
      inbox: createInbox(),
      ...(onChunk === undefined ? {} : { onChunk }),
      index: 0,
      usage: noUsage,
      tokens: 0,
    };
    return { turn, abort };
  }

  /** Holds the agent busy from the first moment: two prompts at once must not both find it idle. */
  async function whileRunning<T>(turn: Turn, abort: AbortController, work: () => Promise<T>): Promise<T> {
    claim();
    const done = work();
    running = { turn, abort, done };
    try {
      return await done;
    } finally {
      running = undefined;
    }
  }

  async function runTurn(turn: Turn, text: string, begin: () => Promise<string | undefined>): Promise<TurnResult> {
    delete shared.fatal;
    const { conversation } = turn.loop;
    await cutFailed(conversation);
    const mark = conversation.mark();
    const { result, hardAbort } = await completeTurn(turn, text, mark, begin);
    if (hardAbort !== undefined) closed = `the hook ${hardAbort.hook} ended the agent: ${hardAbort.reason}`;
    const { code, detail } = result.error ?? {};
    if (code === 'agent.request-refused' || code === 'agent.context-full') {
      failed = { mark, reason: detail?.what ?? code };
      await conversation.fail(mark, failed.reason);
    }
    return result;
  }

  /** A session is called what it was first asked. */
  async function titleSession(conversation: Conversation, text: string): Promise<void> {
    if (conversation.messages().length > 0) return;
    await options.sessions?.setTitle?.(sessionId, text.trim().replace(/\s+/g, ' ').slice(0, 80));
  }

  /** A server that refused a conversation would refuse it again: the turn that made it so goes first. */
  async function cutFailed(conversation: Conversation): Promise<void> {
    if (failed === undefined) return;
    const { mark, reason } = failed;
    failed = undefined;
    await conversation.restore(mark);
    const e = { sessionId, reason, rolledBackMessageIndex: mark.messages.length };
    await raise(engine, 'session.rollback', e, () => ({ sessionId }));
  }

  /** Enters a prompt; a turn starts inside. Says why, where it never became one. */
  async function enter(turn: Turn, text: string, { context }: SubmitOptions): Promise<string | undefined> {
    const e = { text, wait: false, origin: { kind: 'composer' }, ...(context === undefined ? {} : { context }) };
    let entered = false;
    const answer = await raise(
      engine,
      'prompt.submit',
      e,
      async (final) => {
        entered = true;
        await titleSession(turn.loop.conversation, final.text);
        await turn.loop.conversation.add({ role: 'user', content: promptText(final) }, 'prompt');
        await beginTurn(turn, final.text);
        return { text: final.text, ...(final.context === undefined ? {} : { context: final.context }) };
      },
      turn.signal,
    );
    if ('drop' in answer) return answer.drop;
    return entered ? undefined : 'a hook answered in place of the turn';
  }

  const agent: Agent = {
    sessionId,
    model,
    startedAt: Date.now(),
    get tools() {
      return loop === undefined ? [] : definitionsOf(loop);
    },
    get runningTurnId() {
      return running?.turn.turnId;
    },
    get messages() {
      return loop?.conversation.messages() ?? [];
    },
    get problems() {
      return mcp?.failures ?? [];
    },
    ready: async () => {
      await opened();
    },
    async submit(text, submitted = {}) {
      claim();
      const main = await opened();
      const { turn, abort } = makeTurn(main, submitted);
      return whileRunning(turn, abort, () => runTurn(turn, text, () => enter(turn, text, submitted)));
    },
    async resume(submitted = {}) {
      claim();
      const main = await opened();
      if (unanswered(main.conversation.messages()).length === 0) return undefined;
      const { turn, abort } = makeTurn(main, submitted);
      return whileRunning(turn, abort, () =>
        runTurn(turn, '', async () => {
          await beginTurn(turn, '');
          await answerBegunCalls(turn, options.calls);
          return undefined;
        }),
      );
    },
    async steer(text) {
      if (running === undefined) return 'idle';
      const { turn } = running;
      const e = { text, wait: false, turnId: turn.turnId, origin: { kind: 'composer' } };
      const answer = await raise(engine, 'prompt.submit', e, (final) => {
        const content = promptText(final);
        const queued = turn.inbox.steer(content);
        const where = { sessionId, turnId: turn.turnId };
        notify(engine, 'interrupt.received', {
          ...where,
          kind: 'steering',
          role: 'user',
          length: content.length,
          queued,
        });
        return { text: final.text };
      });
      return 'drop' in answer ? 'dropped' : 'queued';
    },
    interrupt(how, reason = 'the person interrupted the turn') {
      if (running === undefined) return false;
      const { turn, abort } = running;
      const kind = how === 'now' ? 'hard_abort' : 'graceful';
      notify(engine, 'interrupt.received', { sessionId, turnId: turn.turnId, kind });
      if (how === 'now') abort.abort(new Error(reason));
      else turn.inbox.interrupt();
      return true;
    },
    async ask(question, submitted = {}) {
      if (closed !== undefined) throw new TrotlineError('agent.closed', { what: closed });
      const main = await opened();
      const abort = new AbortController();
      const aside: Turn = {
        loop: main,
        turnId: `main-aside-${randomUUID().slice(0, 8)}`,
        signal: submitted.signal ?? abort.signal,
        inbox: createInbox(),
        ...(submitted.onChunk === undefined ? {} : { onChunk: submitted.onChunk }),
        index: 0,
        usage: noUsage,
        tokens: 0,
      };
      const asked: Message = { role: 'user', content: question };
      const { text } = await step(aside, { messages: [...main.conversation.messages(), asked], tools: [] });
      return text;
    },
    async compact(instructions) {
      claim();
      const main = await opened();
      const { turn, abort } = makeTurn(main, {});
      return whileRunning(turn, abort, () =>
        compact(turn, {
          trigger: 'manual',
          reason: 'asked',
          keepTokens: Math.floor(estimateTokens(main.conversation.messages()) / 4),
          ...(instructions === undefined ? {} : { instructions }),
        }),
      );
    },
    async close(reason = 'other') {
      if (closed === undefined) closed = 'the agent was closed';
      agent.interrupt('now', 'the agent was closed');
      await running?.done.catch(() => {});
      if (readied !== undefined) {
        await readied.catch(() => {});
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
  const unserve = engine.serve(agentOps(agent), (name) => {
    const tool = loop?.isAllowed(name) ? loop.tools.get(name) : undefined;
    if (loop === undefined || tool === undefined) return undefined;
    const { inputSchema, isReadOnly } = tool;
    return { inputSchema, isReadOnly, run: runTool.bind(undefined, loop) };
  });
  return agent;
}

const raised = [
  'session.start',
  'agent.offer',
  'tool.describe',
  'prompt.submit',
  'session.append',
  'turn.start',
  'turn.iteration',
  'session.compact',
  'turn.step',
  'llm.request',
  'tool.call',
  'tool.check',
  'tool.error',
  'agent.spawn',
  'turn.complete',
  'session.rollback',
  'session.end',
] as const;

/** What the model reads of a prompt: its text, then the context that hooks put beside it. */
function promptText({ text, context = [] }: { text: string; context?: readonly string[] | undefined }): string {
  return [text, ...context].join('\n\n');
}
