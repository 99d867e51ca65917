import { clean, oneLine } from '../terminal/clean.ts';
import type { Colors } from '../terminal/io.ts';
import { callText } from './call.ts';

interface StoredMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly toolName?: unknown;
  readonly toolCalls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
}

/** A stored row as people read it: who said what. What is no message is shown as JSON. */
export function rowText(row: unknown, c: Colors): string {
  const message = ((row as { message?: unknown } | null)?.message ?? row) as StoredMessage | null;
  if (typeof message?.role !== 'string' || typeof message.content !== 'string') {
    return `${c.dim(oneLine(JSON.stringify(row) ?? '', 200))}\n`;
  }
  const calls = (message.toolCalls ?? []).map(
    ({ name, input }) => `  ${c.cyan(clean(name))} ${callText(name, input, 160)}\n`,
  );
  const said = message.role === 'tool' ? c.dim(oneLine(message.content, 200)) : clean(message.content);
  return `${c.bold(`${message.role}:`)} ${said}\n${calls.join('')}`;
}
