import { beginTurn } from './complete.ts';
import type { Turn } from './context.ts';
import { notify, raise } from './raise.ts';
import type { SessionStore } from './types.ts';

/** A prompt as it enters. */
export interface Prompt {
  readonly text: string;
  readonly context?: readonly string[] | undefined;
}

const titleChars = 80;

/** Raises `prompt.submit` for a person's prompt; a turn starts inside. Says why, where it never became one. */
export async function submitPrompt(
  turn: Turn,
  { text, context }: Prompt,
  sessions: SessionStore | undefined,
): Promise<string | undefined> {
  const e = { text, wait: false, origin: { kind: 'composer' }, ...(context === undefined ? {} : { context }) };
  let entered = false;
  const answer = await raise(
    turn.loop.shared.engine,
    'prompt.submit',
    e,
    async (final) => {
      entered = true;
      await enterPrompt(turn, final, sessions);
      return accepted(final);
    },
    turn.signal,
  );
  if ('drop' in answer) return answer.drop;
  return entered ? undefined : 'a hook answered in place of the turn';
}

/** Puts a prompt that passed its hooks into the conversation, and starts its turn. */
export async function enterPrompt(turn: Turn, prompt: Prompt, sessions: SessionStore | undefined): Promise<void> {
  const { conversation, shared } = turn.loop;
  let first: readonly string[] = [];
  if (conversation.messages().length === 0) {
    const title = prompt.text.trim().replace(/\s+/g, ' ').slice(0, titleChars);
    await sessions?.setTitle?.(shared.sessionId, title);
    first = await firstContext(turn);
  }
  await conversation.add({ role: 'user', content: [read(prompt), ...first].join('\n\n') }, 'prompt');
  await beginTurn(turn, prompt.text);
}

/** What hooks send along with the first message of a conversation. The agent itself sends nothing. */
async function firstContext({ loop, signal }: Turn): Promise<readonly string[]> {
  const { blocks, instructionFiles = [] } = await raise(
    loop.shared.engine,
    'prompt.context',
    { blocks: [] },
    (final) => final,
    signal,
  );
  return [
    ...blocks.map(({ name, text }) => `${name}:\n${text}`),
    ...instructionFiles.map(({ path, content }) => `${path}:\n${content}`),
  ];
}

/** Raises `prompt.submit` for a message to a turn that runs; it waits there for the next request. */
export async function steerTurn({ loop, turnId, inbox }: Turn, text: string): Promise<'queued' | 'dropped'> {
  const { engine, sessionId } = loop.shared;
  const e = { text, wait: false, turnId, origin: { kind: 'composer' } };
  const answer = await raise(engine, 'prompt.submit', e, (final) => {
    const content = read(final);
    const queued = inbox.steer(content);
    const about = { kind: 'steering', role: 'user', length: content.length, queued } as const;
    notify(engine, 'interrupt.received', { sessionId, turnId, ...about });
    return accepted(final);
  });
  return 'drop' in answer ? 'dropped' : 'queued';
}

/** What `prompt.submit` answers of a prompt that entered. */
export const accepted = ({ text, context }: Prompt): { text: string; context?: readonly string[] } => ({
  text,
  ...(context === undefined ? {} : { context }),
});

/** What the model reads of a prompt: its text, then the context that hooks put beside it. */
const read = ({ text, context = [] }: Prompt): string => [text, ...context].join('\n\n');
