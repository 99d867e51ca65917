/** Deepest nesting accepted: what walks the value later may recurse. */
export const MAX_DEPTH = 200;

export type Frame =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown; readonly method: string | undefined }
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly rpcCode: number | undefined }
  | { readonly kind: 'request'; readonly id: number | string; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  /** An answer to nothing: no id, `null` or 0. Hooks that answer notifications send these. */
  | { readonly kind: 'stray' }
  | { readonly kind: 'noise'; readonly why: string };

const noise = (why: string): Frame => ({ kind: 'noise', why });

/**
 * Reads one line as a JSON-RPC message. Lenient where published hooks need it (`jsonrpc` is not checked, `error` wins over
 * `result`), strict where safety does: an id is a positive integer, nesting is bounded, `__proto__` keys are dropped.
 */
export function readFrame(line: Buffer): Frame {
  if (line.length > 2 * MAX_DEPTH && tooDeep(line)) return noise(`nested deeper than ${MAX_DEPTH}`);
  const text = line.toString('utf8');
  let value: unknown;
  try {
    value = text.includes('__proto__') || /\\u005f/i.test(text) ? JSON.parse(text, dropProto) : JSON.parse(text);
  } catch {
    return noise(text.trim() === '' ? 'an empty line' : 'not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return noise('not a JSON object');
  return classify(value as Record<string, unknown>);
}

function classify(message: Record<string, unknown>): Frame {
  const { id, error } = message;
  const method = typeof message['method'] === 'string' ? message['method'] : undefined;
  const answers = 'result' in message || (error !== undefined && error !== null);
  if (method !== undefined && !answers) {
    const params = message['params'];
    if (id === undefined || id === null) return { kind: 'notification', method, params };
    if (typeof id === 'string' || typeof id === 'number') return { kind: 'request', id, method, params };
    return noise('an id that is neither a number nor a text');
  }
  if (id === undefined || id === null || id === 0) return { kind: 'stray' };
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    return noise('an id that is not a positive integer');
  if (error !== undefined && error !== null) return { kind: 'error', id, ...readError(error) };
  return { kind: 'result', id, result: message['result'], method };
}

function readError(error: unknown): { message: string; rpcCode: number | undefined } {
  const { message, code } = (typeof error === 'object' ? error : { message: error }) as Record<string, unknown>;
  return {
    message: (typeof message === 'string' && message !== '' ? message : 'an error without a message').slice(0, 4096),
    rpcCode: typeof code === 'number' ? code : undefined,
  };
}

function dropProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Counts brackets outside strings; far cheaper than to parse and then walk. */
function tooDeep(line: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < line.length; i++) {
    const byte = line[i]!;
    if (inString) {
      if (byte === 92) i++;
      else if (byte === 34) inString = false;
    } else if (byte === 34) inString = true;
    else if (byte === 91 || byte === 123) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === 93 || byte === 125) depth--;
  }
  return false;
}

/** Which call an oversized line belonged to, if its head or tail says so. */
export function idOfFragment(head: Buffer, tail: Buffer): number | undefined {
  const found =
    /"id"\s*:\s*(\d{1,15})\s*[,}]/.exec(head.toString('latin1')) ??
    /"id"\s*:\s*(\d{1,15})\s*[,}]\s*$/.exec(tail.toString('latin1'));
  return found === null ? undefined : Number(found[1]);
}

/**
 * One message as one line. U+2028 and U+2029 are escaped: Node's readline, which hooks written in JavaScript use, takes
 * them for line ends.
 */
export function writeFrame(message: object): string {
  const text = JSON.stringify(message);
  return `${/[\u2028\u2029]/.test(text) ? text.replace(/[\u2028\u2029]/g, (c) => (c === '\u2028' ? '\\u2028' : '\\u2029')) : text}\n`;
}
