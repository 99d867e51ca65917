import { field, flagField, isObject, listField, type Obj, objectField, textField } from './json.ts';
import type { LinkNext } from './link.ts';

/** PicoClaw's ToolResult, with only what a reply gave. */
export interface GivenResult {
  readonly forLlm?: string;
  readonly forUser?: string;
  readonly isError?: boolean;
  readonly silent?: boolean;
  readonly media?: readonly unknown[];
}

const marks = ['for_llm', 'for_user', 'is_error', 'silent', 'media', 'response_handled'];

/** Reads a ToolResult; a field of the wrong type is the hook's failure. */
export function toolResultOf(given: Obj | undefined): GivenResult | undefined {
  if (given === undefined) return undefined;
  const forLlm = textField(given, 'for_llm');
  const forUser = textField(given, 'for_user');
  const isError = flagField(given, 'is_error');
  const silent = flagField(given, 'silent');
  const media = listField(given, 'media');
  return {
    ...(forLlm === undefined ? {} : { forLlm }),
    ...(forUser === undefined ? {} : { forUser }),
    ...(isError === undefined ? {} : { isError }),
    ...(silent === undefined ? {} : { silent }),
    ...(media === undefined ? {} : { media }),
  };
}

/** The result that `after_tool` gives back: in the envelope it was sent in, or flat. */
export function afterResult(reply: Obj): Obj | undefined {
  const outer = objectField(reply, 'result');
  if (outer === undefined) return undefined;
  const inner = field(outer, 'result');
  if (isObject(inner)) return inner;
  return marks.some((mark) => field(outer, mark) !== undefined) ? outer : undefined;
}

/** A `respond` as the answer of a `tool.call`. What this host has no place for is noted, not lost in silence. */
export function answerOf(result: GivenResult, next: LinkNext): Obj {
  const text = result.forLlm ?? '';
  noteUnsupported(result, next);
  return { result: text, text, ...(result.isError === true ? { isError: true } : {}) };
}

export function noteUnsupported({ forUser, silent, media }: GivenResult, next: LinkNext): void {
  if (forUser !== undefined && forUser !== '' && silent !== true)
    next.note('picoclaw.unsupported', '"for_user" is not shown');
  if (media !== undefined && media.length > 0) next.note('picoclaw.unsupported', '"media" is not delivered');
}
