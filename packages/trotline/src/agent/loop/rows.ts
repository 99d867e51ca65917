import type { Message } from '../models/types.ts';

/**
 * A row of a stored session: a message, the whole conversation after it was shortened, or the note that the turn after
 * row `seq` failed and is to be cut before the next.
 */
export type Row =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'history'; readonly messages: readonly Message[] }
  | { readonly kind: 'failed'; readonly seq: number; readonly reason: string };

interface StoredRow {
  readonly seq: number;
  readonly row: unknown;
}

interface Loaded {
  readonly messages: readonly Message[];
  readonly lastSeq: number;
  /** Model answers ever given, those that were summed up too. */
  readonly answers: number;
  /** Where to cut before the next turn, and why. */
  readonly failed?: { readonly messages: readonly Message[]; readonly seq: number; readonly reason: string };
}

/** The conversation that rows hold. Rows of another kind are another version's, and are passed over. */
export function readRows(rows: readonly StoredRow[]): Loaded {
  let messages: Message[] = [];
  let answers = 0;
  for (const { row } of rows) {
    if (!isRow(row)) continue;
    if (row.kind === 'history') messages = [...row.messages];
    else if (row.kind === 'message') {
      messages.push(row.message);
      if (row.message.role === 'assistant') answers++;
    }
  }
  const last = rows.at(-1);
  const loaded = { messages, lastSeq: last?.seq ?? 0, answers };
  if (last === undefined || !isRow(last.row) || last.row.kind !== 'failed') return loaded;
  const { seq, reason } = last.row;
  return { ...loaded, failed: { messages: readRows(rows.filter((row) => row.seq <= seq)).messages, seq, reason } };
}

function isRow(row: unknown): row is Row {
  if (typeof row !== 'object' || row === null) return false;
  const { kind, message, messages, seq, reason } = row as Readonly<Record<string, unknown>>;
  if (kind === 'message') return isMessage(message);
  if (kind === 'failed') return typeof seq === 'number' && typeof reason === 'string';
  return kind === 'history' && Array.isArray(messages) && messages.every(isMessage);
}

/** Whether something has the shape of a message; what hooks and files hand over is looked at first. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content, toolCalls, toolCallId, toolName } = value as Record<string, unknown>;
  if (typeof content !== 'string') return false;
  switch (role) {
    case 'system':
    case 'user':
      return true;
    case 'tool':
      return typeof toolCallId === 'string' && typeof toolName === 'string';
    case 'assistant':
      return toolCalls === undefined || (Array.isArray(toolCalls) && toolCalls.every(isToolCall));
    default:
      return false;
  }
}

function isToolCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, input } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof name === 'string' && typeof input === 'object' && input !== null;
}
