import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, makePlace, trotline } from './harness.ts';

const place = makePlace();
beforeAll(ensureBuilt, 120_000);
afterAll(() => place.remove());

/** What bash would offer for a command line that ends where the cursor stands. */
async function offered(words: readonly string[]): Promise<string[]> {
  const { stdout: completion } = await trotline(place, ['completion', 'bash']);
  const line = `COMP_WORDS=(trotline ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _trotline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['-c', `${completion}\n${line}`], { encoding: 'utf8' });
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, commands beneath commands, options, and the choices of an option', async () => {
  expect(await offered(['ex'])).toEqual(['explain']);
  expect(await offered(['sessions', ''])).toEqual(expect.arrayContaining(['list', 'show']));
  expect(await offered(['run', '--mod'])).toEqual(['--model']);
  expect(await offered(['init', '--lang', ''])).toEqual(['ts', 'python', 'sh']);
});

test('bash completes events, tools and shells where they are asked for', async () => {
  expect(await offered(['explain', 'tool.ca'])).toEqual(['tool.call']);
  expect(await offered(['explain', 'Ba'])).toEqual(['Bash']);
  expect(await offered(['hooks', 'tool.ca'])).toEqual(['tool.call']);
  expect(await offered(['run', '--allow', 'Ba'])).toEqual(['Bash']);
  expect(await offered(['completion', 'fi'])).toEqual(['fish']);
  expect(await offered(['hel'])).toEqual(['help']);
});

test('words of hooks and sessions are looked up, and those that a shell would expand are left out', async () => {
  const here = makePlace({
    'trotline.json':
      '{ "hooks": { "builtins": { "guard": { "module": "./a.mjs" }, "$(touch made)": { "module": "./a.mjs" } } } }',
  });
  try {
    expect((await trotline(here, ['completion', 'words', 'hooks'])).stdout).toBe('guard\n');
    expect((await trotline(here, ['completion', 'words', 'sessions'])).stdout).toBe('');
  } finally {
    here.remove();
  }
});

test('each script is one that its shell can read', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await trotline(place, ['completion', shell]);
    expect(code).toBe(0);
    const read = spawnSync(shell, ['-n'], { input: stdout });
    if (read.error === undefined) expect(read.status).toBe(0);
  }
});

test('an unknown shell is wrong use, with those that there are', async () => {
  const { code, stderr } = await trotline(place, ['completion', 'csh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});
