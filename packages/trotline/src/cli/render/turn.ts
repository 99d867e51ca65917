import type { Observed, ToolOutcome } from '@trotline/engine';
import type { ShownChunk, TurnResult } from '../../agent/index.ts';
import { clean, createCleaner, oneLine } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';
import { createCalls } from './calls.ts';
import { createFailures } from './failures.ts';
import { noticeText } from './notices.ts';
import { resultText } from './result.ts';
import { traceText } from './trace.ts';

/** A turn as a person follows it: the answer on stdout, what happens meanwhile on stderr. */
export interface TurnView {
  chunk(chunk: ShownChunk): void;
  observed(seen: Observed): void;
  /** What came of a call of the agent. */
  result(toolUseId: string, outcome: ToolOutcome): void;
  /** The last word: what a hook added, and why it did not end plainly. */
  end(result: TurnResult): void;
}

export interface TurnViewOptions {
  /** Also show what each hook did in every dispatch, and results whole. */
  readonly trace: boolean;
}

export function createTurnView(
  io: Pick<Io, 'out' | 'err' | 'errColors' | 'columns'>,
  options: TurnViewOptions,
): TurnView {
  const { errColors: c } = io;
  const calls = createCalls();
  const cleaner = createCleaner();
  const failures = createFailures(c);
  const started = new Set<string>();
  const room = (): number => Math.max(io.columns() - 12, 40);
  let atLineStart = true;
  let part: number | undefined;

  const say = (text: string): void => {
    if (text === '') return;
    io.out(text);
    atLineStart = text.endsWith('\n');
  };
  const finishLine = (): void => {
    say(cleaner.end());
    if (!atLineStart) say('\n');
  };
  const beside = (text: string): void => {
    finishLine();
    io.err(text);
  };

  return {
    chunk(chunk) {
      calls.chunk(chunk);
      if (chunk.kind === 'restart')
        return beside(`${c.yellow('!')} the answer broke off and begins anew: ${oneLine(chunk.reason, 200)}\n`);
      if (chunk.kind === 'stop') {
        finishLine();
        part = undefined;
      }
      if (chunk.kind !== 'text') return;
      if (part !== undefined && part !== chunk.index) finishLine();
      part = chunk.index;
      say(cleaner.add(chunk.text));
    },
    observed(seen) {
      if (seen.kind === 'notice') {
        const { name, data } = seen.notice;
        const id = String((data as { toolUseId?: unknown }).toolUseId);
        if (name === 'tool.started') started.add(id);
        const context = { c, room: room(), callOf: calls.inputOf, begun: (of: string) => started.has(of), failures };
        const text = noticeText(seen.notice, context);
        if (name === 'tool.ended') started.delete(id);
        if (text !== '') beside(text);
      } else if (options.trace) {
        const text = traceText(seen, c);
        if (text !== '') beside(text);
      }
    },
    result(_, outcome) {
      const text = resultText(outcome, { c, room: room(), full: options.trace });
      if (text !== '') beside(text);
    },
    end(result) {
      finishLine();
      io.err(failures.rest());
      if (result.note !== undefined) io.err(`${c.dim(clean(result.note))}\n`);
      const { status, reason, hook } = result;
      if (hook !== undefined) {
        const how = status === 'aborted' ? 'ended the agent' : 'ended the turn';
        io.err(`${c.red('✖')} ${c.bold(oneLine(hook, 80))} ${how}: ${oneLine(reason ?? 'no reason given', 500)}\n`);
      } else if (status !== 'completed' && result.error === undefined && reason !== undefined) {
        io.err(`${c.red('✖')} the turn ${status === 'aborted' ? 'was aborted' : 'failed'}: ${oneLine(reason, 500)}\n`);
      }
    },
  };
}
