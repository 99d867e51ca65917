import type { Observed } from '@trotline/engine';
import type { ShownChunk, TurnResult } from '../../agent/index.ts';
import { errorJson } from '../errors.ts';
import type { Io } from '../terminal/io.ts';
import type { TurnView } from './turn.ts';

export type JsonLine = { readonly type: string } & Readonly<Record<string, unknown>>;

/** One JSON object a line on stdout. */
export const printJson = (io: Pick<Io, 'out'>, line: JsonLine): void => io.out(`${JSON.stringify(line)}\n`);

/** A turn for programs: text, notices and, with `trace`, what hooks did, in the order in which they were seen. */
export function createJsonView(io: Pick<Io, 'out'>, options: { readonly trace: boolean }): TurnView {
  return {
    chunk(chunk: ShownChunk) {
      if (chunk.kind === 'text' || chunk.kind === 'thinking') printJson(io, { type: chunk.kind, text: chunk.text });
      else if (chunk.kind === 'restart') printJson(io, { type: 'restart', reason: chunk.reason });
    },
    observed(seen: Observed) {
      if (seen.kind === 'notice') printJson(io, { type: 'notice', ...seen.notice });
      else if (options.trace)
        printJson(io, { type: 'trace', event: seen.event, origin: seen.origin, trace: seen.trace });
    },
    // Programs read results where they are stored, with the session.
    result() {},
    end(result: TurnResult) {
      const { error, ...rest } = result;
      printJson(io, { type: 'result', ...rest, ...(error === undefined ? {} : { error: errorJson(error) }) });
    },
  };
}
