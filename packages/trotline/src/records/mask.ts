/** What stands in a record where a secret stood. */
export const masked = '[masked]';

const maxText = 16_384;
const maxTotal = 262_144;
const maxNodes = 10_000;
const maxDepth = 64;
const overlap = 4096;

const secretKey =
  /(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?|authorization|cookie)$|^auth$|secret/i;
const secretEnv =
  /(?:^|_)(?:PASS(?:WORD|WD|PHRASE)?|PWD|TOKEN|SECRET|API_?KEY|KEY|CREDENTIALS?|AUTH|COOKIE|DSN)(?:_|$)/i;
const publicEnv = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK']);

// Every repetition is bounded or of one class of characters that its successor excludes: the work is linear in the text.
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)(\s{1,4})[A-Za-z0-9._~+/=-]{8,}/gi, `$1$2${masked}`],
  [/\bsk-[A-Za-z0-9_-]{16,}/g, masked],
  [/\b(?:gh[opusr]_|github_pat_|glpat-|npm_|hf_|pypi-)[A-Za-z0-9_-]{16,}/g, masked],
  [/\bxox[a-z]-[A-Za-z0-9-]{10,}/g, masked],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, masked],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, masked],
  [/\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,4000}\.[A-Za-z0-9_-]{4,}/g, masked],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"]{0,100}:)[^\s@/'"]{1,300}@/gi, `$1${masked}@`],
  [/(authorization["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"'][^"'\r\n]*/gi, `$1${masked}`],
  [
    /((?:password|passwd|passphrase|token|secret|api[-_]?key|access[-_]?key|private[-_]?key)["']?(?:\s{0,4}[:=]\s{0,4}|\s{1,4}(?=[^-\s])))(?:"[^"]{1,1000}"|'[^']{1,1000}'|[^\s"'&;,)}]{1,1000})/gi,
    `$1${masked}`,
  ],
];

/**
 * Makes the function that every record passes before it is written: a copy of plain data with secrets replaced and its size bounded.
 * A secret is what stands under a telling key, the value of a variable of `env` with a telling name, one of `secrets`, or text of a
 * well-known shape. It works on copies and throws nothing.
 */
export function createMask(options: {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly secrets?: readonly string[];
}): (value: unknown) => unknown {
  const known = knownSecrets(options.env ?? {}, options.secrets ?? []);
  const tail = Math.max(overlap, known[0]?.length ?? 0);
  return (value) => {
    const left = { nodes: maxNodes, text: maxTotal };
    const walk = (item: unknown, depth: number): unknown => {
      if (--left.nodes < 0 || left.text <= 0) return '[cut: too much to record]';
      if (typeof item === 'string') {
        const short = maskBounded(item, known, tail);
        left.text -= short.length;
        return short;
      }
      if (typeof item !== 'object' || item === null) return item;
      if (depth >= maxDepth) return '[cut: too deep to record]';
      if (Array.isArray(item)) return item.slice(0, left.nodes + 1).map((child) => walk(child, depth + 1));
      const members: [string, unknown][] = [];
      for (const [key, child] of Object.entries(item)) {
        if (left.nodes <= 0) break;
        const hide = secretKey.test(key) && child !== null && child !== undefined && typeof child !== 'boolean';
        members.push([maskBounded(key, known, tail), hide ? masked : walk(child, depth + 1)]);
      }
      // `fromEntries` defines own members, so that a key `__proto__` stays a key.
      return Object.fromEntries(members);
    };
    return walk(value, 0);
  };
}

// A text is cut before it is searched, to bound the work. The end of what was cut may hold the first half of a secret that nothing
// recognises any more, so that end is never written.
function maskBounded(text: string, known: readonly string[], tail: number): string {
  if (text.length <= maxText) return maskText(text, known);
  const head = maskText(text.slice(0, maxText + tail), known);
  return `${head.slice(0, Math.min(maxText, Math.max(0, head.length - tail)))}… [cut: ${text.length} characters]`;
}

function maskText(text: string, known: readonly string[]): string {
  let out = maskPem(text);
  for (const secret of known) if (out.includes(secret)) out = out.replaceAll(secret, masked);
  for (const [shape, instead] of shapes) out = out.replace(shape, instead);
  return out;
}

const pemStart = '-----BEGIN ';

function maskPem(text: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(pemStart, from);
    if (start < 0) return out + text.slice(from);
    const label = text.slice(start, start + 60).split('-----')[1] ?? '';
    if (!label.endsWith('PRIVATE KEY')) {
      out += text.slice(from, start + pemStart.length);
      from = start + pemStart.length;
      continue;
    }
    const close = `-----END ${label.slice('BEGIN '.length)}-----`;
    const end = text.indexOf(close, start);
    out += text.slice(from, start) + masked;
    // Without an end everything after the beginning may be key.
    if (end < 0) return out;
    from = end + close.length;
  }
}

function knownSecrets(env: Readonly<Record<string, string | undefined>>, more: readonly string[]): string[] {
  const values = new Set<string>(more.filter((value) => value.length >= 4));
  for (const [name, value] of Object.entries(env)) {
    // A short value, such as `1`, would be found in everything.
    if (value !== undefined && value.length >= 8 && secretEnv.test(name) && !publicEnv.has(name)) values.add(value);
  }
  for (const value of [...values]) {
    if (!/\p{Surrogate}/u.test(value)) values.add(encodeURIComponent(value));
    values.add(JSON.stringify(value).slice(1, -1));
  }
  return [...values].sort((a, b) => b.length - a.length);
}
