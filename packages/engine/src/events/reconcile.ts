import { freezeCopy, type Owner } from '../kernel/index.ts';
import { isHeld, markHeld } from './held.ts';

type Data = Readonly<Record<string, unknown>>;
interface Ran {
  readonly result: unknown;
  readonly text?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly context?: readonly string[] | undefined;
}
type ToolResult = { readonly deny: string } | Ran;

/** The text that the model reads of a tool's result, where the tool did not say it. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined ? '' : (JSON.stringify(result) ?? '');
}

/** Equal plain data. A hook in another realm hands back copies, so references say nothing. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameData((a as Data)[key], (b as Data)[key]))
  );
}

/** Context of beneath, kept whole: what is missing goes in front of what the hook added. Undefined where nothing is. */
export function keptContext(own: readonly string[], beneath: readonly string[]): readonly string[] | undefined {
  const left = [...own];
  for (const entry of beneath) {
    const at = left.indexOf(entry);
    if (at < 0) return [...beneath, ...own.filter((text) => !beneath.includes(text))];
    left.splice(at, 1);
  }
  return undefined;
}

/**
 * What a hook may not do to a tool's result: loosen a held deny, drop context, make up an error. It is put back, with a
 * trace code. A result whose `result` was replaced and whose `text` was not gets a text of its own.
 */
export function reconcileToolCall<R extends ToolResult>(
  given: R,
  beneath: R | undefined,
  owner: Owner,
): { readonly value: R; readonly code?: string } {
  if (given === beneath) return { value: given };
  const own = withoutEmptyDeny(given);
  if (isHeld(beneath) && owner.tier !== 'prepend') {
    // Another text for the same deny is no loosening, but the deny stays a held one.
    return 'deny' in own ? { value: markHeld(freezeCopy(own)) } : { value: beneath as R, code: 'engine.loosened' };
  }
  if ('deny' in own) return { value: own };
  return reconcileRan(own, ran(beneath), owner) as { readonly value: R; readonly code?: string };
}

/** A `deny` that is there and undefined denies nothing; left in, it would pass for a deny wherever `in` tells the two apart. */
function withoutEmptyDeny<R extends ToolResult>(own: R): R {
  if (!('deny' in own) || own.deny !== undefined) return own;
  const { deny: _, ...rest } = own as R & { readonly deny: undefined };
  return rest as unknown as R;
}

const ran = (result: ToolResult | undefined): Ran | undefined =>
  result === undefined || 'deny' in result ? undefined : (result as Ran);

function reconcileRan(own: Ran, beneath: Ran | undefined, owner: Owner): { value: Ran; code?: string } {
  let value = own;
  let code: string | undefined;
  const same = beneath !== undefined && sameData(own.result, beneath.result);
  if (own.text === undefined) {
    value = { ...own, text: same ? (beneath.text ?? resultText(own.result)) : resultText(own.result) };
  } else if (beneath !== undefined && !same && own.text === beneath.text) {
    value = { ...own, text: resultText(own.result) };
  }
  // PicoClaw's hooks answer in the tool's place, an error included; nobody else's may call a success a failure.
  if (own.isError === true && beneath?.isError !== true && owner.lane !== 'process') {
    const { isError: _, ...rest } = value;
    value = rest;
    code = 'engine.invented-error';
  }
  const context = keptContext(own.context ?? [], beneath?.context ?? []);
  if (context !== undefined) {
    value = { ...value, context };
    code = 'engine.context-kept';
  }
  return { value: value === own ? own : freezeCopy(value), ...(code === undefined ? {} : { code }) };
}
