import { expect, test } from 'vitest';
import { codes } from '../../../engine/src/events/codes.ts';
import { emptyContent } from '../../src/config/content.ts';
import type { Problem } from '../../src/config/index.ts';
import { readLayer } from '../../src/config/layer.ts';
import { merge } from '../../src/config/merge.ts';
import { problemText, reporter } from '../../src/config/problem.ts';
import { processHook, workspace } from './workspace.ts';

/** Numbers that are the same on every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const seedText = JSON.stringify(
  {
    $schema: 'x',
    extends: ['base.json'],
    hooks: {
      enabled: true,
      defaults: { observer_timeout_ms: 500 },
      builtins: { audit: { enabled: true, module: 'm.mjs', config: { a: [1, { b: null }] } } },
      processes: {
        gate: processHook({ observe: ['*'], env: { A: 'b' }, restart: { max: 2 }, on_error: 'deny', timeout_ms: 100 }),
      },
    },
    policy: {
      allow: ['Read'],
      ask: ['Bash:git *', { tool: 'Write', match: { file_path: '/*' } }],
      deny: [{ tool: 'Bash', pattern: 'rm *' }],
    },
    model: { name: 'a/b', temperature: 0.5 },
    approvals: { answered: 'check', expire_ms: 1000 },
    records: { dir: 'r' },
    mods: ['m.mjs', { path: 'base.json', name: 'n' }],
    agent: {
      max_iterations: 3,
      tools: ['Bash'],
      system: 's',
      mcp_servers: { m: { command: ['node', 'm.mjs'], env: { A: 'b' } } },
    },
  },
  null,
  1,
);

const scraps = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u12',
  'null',
  'true',
  '-',
  '1e999',
  '-0',
  '//',
  '/*',
  '\t',
  '\0',
  '\n',
  '\ufeff',
  '\ud800',
  '"__proto__":',
  '"constructor":{},',
  '[[[[[[[[',
  '{"a":',
  '99999999999999999999',
  '"*"',
  '""',
  '../',
  '"timeout":5,',
  'é',
  '\u2028',
];

function mutate(text: string, next: () => number): string {
  let result = text;
  const times = 1 + Math.floor(next() * 6);
  for (let i = 0; i < times; i++) {
    const at = Math.floor(next() * (result.length + 1));
    const length = Math.floor(next() ** 3 * 60);
    const scrap = scraps[Math.floor(next() * scraps.length)] ?? '';
    const from = Math.floor(next() * result.length);
    const kinds = [
      () => result.slice(0, at) + result.slice(at + length),
      () => result.slice(0, at) + scrap + result.slice(at),
      () => result.slice(0, at) + scrap + result.slice(at + length),
      () => result.slice(0, at) + result.slice(from, from + length) + result.slice(at),
      () => result.slice(0, at),
      // A token in place of another, which keeps the text whole and makes wrong types.
      () => replaceToken(result, at, result, from),
      () => replaceToken(result, at, result, from),
    ];
    result = kinds[Math.floor(next() * kinds.length)]?.() ?? result;
  }
  return result;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g;
function replaceToken(text: string, at: number, other: string, from: number): string {
  const tokens = [...text.matchAll(TOKEN)];
  const donors = [...other.matchAll(TOKEN)];
  const target = tokens[at % Math.max(1, tokens.length)];
  const donor = donors[from % Math.max(1, donors.length)];
  if (target === undefined || donor === undefined) return text;
  return text.slice(0, target.index) + donor[0] + text.slice(target.index + target[0].length);
}

test('four thousand damaged configurations: none throws, none hangs, and each problem has its place and code', async () => {
  const space = workspace();
  space.write('project/m.mjs', '');
  space.write('project/base.json', '{}');
  const next = random(20_260_101);
  const kinds = new Set<string>();
  let clean = 0;
  for (let run = 0; run < 4000; run++) {
    const text = mutate(seedText, next);
    const file = space.write('project/trotline.json', text);
    const problems: Problem[] = [];
    const name = run % 2 === 0 ? 'project' : 'person';
    const layer = await readLayer(name, file, { cwd: space.project, strict: false, problems });
    merge(
      [
        { name, content: layer.content },
        { name: 'managed', content: emptyContent },
      ],
      [],
      reporter(problems),
    );
    if (problems.length === 0) clean += 1;
    const lines = text.split(/\r\n|\n|\r/);
    for (const problem of problems) {
      kinds.add(problem.code);
      expect(problem.code in codes, problem.code).toBe(true);
      expect(problem.file, text).toBeDefined();
      expect(problemText(problem)).not.toContain('undefined');
      if (problem.line === undefined || problem.file !== file) continue;
      const line = lines[problem.line - 1];
      expect(line, `line ${problem.line} of ${JSON.stringify(text)}`).toBeDefined();
      expect(problem.column ?? 0).toBeLessThanOrEqual((line?.length ?? 0) + 1);
    }
  }
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  // The mutations reach deep enough to be worth running: most kinds of faults come up, and some texts survive.
  expect(kinds.size).toBeGreaterThan(15);
  expect(clean).toBeGreaterThan(20);
}, 120_000);
