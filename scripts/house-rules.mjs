// Rules of the house that the other linters do not know. Prints each breach as file:line and what to do; exit 1 if any.
//
//   - no source file over 400 lines; no default exports; no index.ts but the public ones
//   - `tool.call` and `llm.request` are raised by the engine's two pipelines only
//   - no registry host and no absolute path of somebody's machine in a tracked file
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LONGEST = 400;
/** An `index.ts` is for a folder that others import. */
const publicIndex =
  /^packages\/(engine\/src\/(kernel\/)?|trotline\/src\/((supervise|records|config|ops|approvals|host|agent|adapters|bridges)\/|dialects\/[^/]+\/|supervise\/[^/]+\/|cli\/[^/]+\/)?)index\.ts$/;
const isSource = (file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file);
const isCode = (file) => /\.(ts|tsx|mts|js|mjs|cjs)$/.test(file);
const isText = (file) => /\.(ts|tsx|js|mjs|cjs|json|jsonc|md|yml|yaml|sh|py|html|css|txt)$|(^|\/)\.npmrc$/.test(file);
/** Other people's files, kept as they are. */
const isTheirs = (file) => /(^|\/)(fixtures|schema)\//.test(file);

const rules = [
  {
    name: 'a source file has at most 400 lines: split it by concern',
    applies: isSource,
    find: (text) => {
      const lines = text.split('\n').length - 1;
      return lines > LONGEST ? [lines] : [];
    },
  },
  {
    name: 'no default exports: name what you export',
    applies: isSource,
    find: (text) => linesWith(text, /^\s*export default\b/),
  },
  {
    name: 'no index.ts but those of public folders: import the file itself',
    applies: (file) => isSource(file) && file.endsWith('/index.ts') && !publicIndex.test(file),
    find: () => [1],
  },
  {
    name: 'only the engine raises tool.call and llm.request: call engine.tool() or engine.model()',
    applies: (file) => isSource(file) && !file.startsWith('packages/engine/src/engine/'),
    find: (text) => linesWith(text, /\b(raise|dispatch)\(\s*(rules\()?['"`](tool\.call|llm\.request|turn\.step)['"`]/),
  },
  {
    name: 'no registry host in a tracked file: the client’s own configuration says where packages come from',
    applies: (file) => isText(file) && file !== 'scripts/house-rules.mjs',
    find: (text, file) =>
      linesWith(
        text,
        file === 'package-lock.json'
          ? /"resolved": "https?:/
          : /\bregistry\.(npmjs|yarnpkg|npmmirror)\.\w+|\bpypi\.org\/simple|\bproxy\.golang\.org/,
      ),
  },
  {
    name: 'no absolute path of a machine in a tracked file',
    applies: (file) => isText(file) && file !== 'scripts/house-rules.mjs',
    find: (text) =>
      linesWith(
        text,
        /(?<![\w.$}])\/(work|workspace|root|Users|home)\/(?!(?:you|me|user|ada|someone)\/)[A-Za-z0-9_.-]+\//,
      ),
  },
];

function linesWith(text, pattern) {
  return text.split('\n').flatMap((line, at) => (pattern.test(line) ? [at + 1] : []));
}

/** Every breach in some files, as `file:line: rule`. */
export function breaches(files, read) {
  return files.flatMap((file) => {
    const mine = rules.filter((rule) => rule.applies(file));
    if (mine.length === 0) return [];
    const text = read(file);
    return mine.flatMap((rule) => rule.find(text, file).map((line) => `${file}:${line}: ${rule.name}`));
  });
}

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((file) => file !== '' && (isCode(file) || isText(file)) && !isTheirs(file));
  const found = breaches(tracked, (file) => {
    try {
      return readFileSync(`${root}${file}`, 'utf8');
    } catch {
      return ''; // Deleted and not yet committed.
    }
  });
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error(`${found.length} ${found.length === 1 ? 'breach' : 'breaches'} of the house rules.`);
    process.exit(1);
  }
}
