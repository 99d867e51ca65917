import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const script = `${root}scripts/house-rules.mjs`;

/** What the script says of files that are only described. */
function breaches(files: Readonly<Record<string, string>>): string[] {
  const code = `
    import { breaches } from ${JSON.stringify(pathToFileURL(script).href)};
    const files = ${JSON.stringify(files)};
    console.log(JSON.stringify(breaches(Object.keys(files), (file) => files[file])));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as string[]).map((line) => line.slice(0, line.indexOf(': ')));
}

test.each([
  ['a tool raised past its pipeline', 'packages/trotline/src/agent/a.ts', "await engine.raise('tool.call', e);", 1],
  ['a model asked past its pipeline', 'packages/trotline/src/host/a.ts', "\nkernel.dispatch('llm.request', {});", 2],
  ['a default export', 'packages/trotline/src/host/a.ts', 'const a = 1;\nexport default a;', 2],
  ['an index.ts that is not public', 'packages/trotline/src/host/deep/index.ts', 'export {};', 1],
  ['a file that is too long', 'packages/engine/src/events/a.ts', '\n'.repeat(401), 401],
  ['a registry host', 'docs/a.md', `see https://${'registry'}.npmjs.org/x`, 1],
  ['a path of a machine', 'docs/a.md', `in /${'home'}/ada.lovelace/x`, 1],
])('%s is a breach', (_what, file, text, line) => {
  expect(breaches({ [file]: text })).toEqual([`${file}:${line}`]);
});

test('the pipelines themselves, tests and short files are none', () => {
  expect(
    breaches({
      'packages/engine/src/engine/tool/a.ts': "core.dispatch('tool.call', {});",
      'packages/engine/test/a.test.ts': "line.raise('tool.call', {});",
      'packages/trotline/src/host/index.ts': "export { a } from './a.ts';",
      'packages/trotline/src/host/a.ts': "line.on('tool.call', hook);",
    }),
  ).toEqual([]);
});
