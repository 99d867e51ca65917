import { freezeCopy, type Owner } from '../kernel/index.ts';

type Row =
  | { readonly deny: string }
  | {
      readonly message: { readonly type: string; readonly content: readonly Readonly<Record<string, unknown>>[] };
      readonly uuid: string;
    };

/**
 * A row of the conversation is handed on, not made: an answer without `next` is none, and thinking and tool uses that a hook
 * left out or changed are put back. Text and tool results are the hook's to change.
 */
export function reconcileAppend<R extends Row>(
  own: R,
  beneath: R | undefined,
  _owner: Owner,
): { readonly value: R; readonly code?: string; readonly misfit?: string } {
  if (own === beneath || 'deny' in own) return { value: own };
  if (beneath === undefined) return { value: own, misfit: 'an answer without next()' };
  if ('deny' in beneath) return { value: own, misfit: 'a row for one that was denied' };
  const kept = beneath.message.content.filter((block) => !free(block));
  const same = own.message.content.filter((block) => !free(block));
  if (own.uuid === beneath.uuid && JSON.stringify(kept) === JSON.stringify(same)) return { value: own };
  const theirs = own.message.content.filter(free);
  const content = beneath.message.content.flatMap((block) => (free(block) ? (theirs.shift() ?? []) : [block]));
  const value = { ...own, uuid: beneath.uuid, message: { ...own.message, content: [...content, ...theirs] } };
  return { value: freezeCopy(value), code: 'engine.row-kept' };
}

const free = (block: Readonly<Record<string, unknown>>): boolean =>
  block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking' && block['type'] !== 'tool_use';
