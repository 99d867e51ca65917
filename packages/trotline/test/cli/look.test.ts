import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { events } from '@trotline/engine';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { bin, ensureBuilt, environment, makePlace, type Place, start, trotline } from './harness.ts';

const places: Place[] = [];
const place = (files?: Record<string, string>): Place => {
  const made = makePlace(files);
  places.push(made);
  return made;
};
beforeAll(ensureBuilt, 120_000);
afterEach(() => {
  for (const made of places.splice(0)) made.remove();
});

const guard = `export const register = (on) => {
  on('tool.call', { tool: 'Bash' }, ($, e, next) => (/rm -rf/.test(e.command) ? { deny: 'not here' } : next(e)));
};
`;
const project = {
  'trotline.json': '{ "hooks": { "builtins": { "guard": { "enabled": true, "module": "./guard.mjs" } } } }',
  'guard.mjs': guard,
};

test('--version prints the version of the package and loads neither commander nor the engine', async () => {
  const here = place();
  const refusing = `export const resolve = (specifier, context, next) => {
    if (/commander|engine|picocolors|program/.test(specifier)) throw new Error('loaded ' + specifier);
    return next(specifier, context);
  };`;
  const hooks = here.write('hooks.mjs', refusing);
  const probe = here.write(
    'probe.mjs',
    `import { register } from 'node:module';\nregister(${JSON.stringify(`file://${hooks}`)});`,
  );
  const well = await trotline(here, ['events'], { env: { NODE_OPTIONS: `--import=${probe}` } });
  expect(well.stderr).toContain('loaded');
  const { stdout, stderr, code } = await trotline(here, ['--version'], { env: { NODE_OPTIONS: `--import=${probe}` } });
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect({ stdout, stderr, code }).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
});

test('help shows examples, for the whole and for each command, and --json stands everywhere', async () => {
  const here = place();
  expect((await trotline(here, [])).stdout).toContain('Examples:');
  const { stdout, code } = await trotline(here, ['sessions', 'list', '--help']);
  expect(code).toBe(0);
  for (const part of ['Usage: trotline sessions list', 'Examples:', '--json']) expect(stdout).toContain(part);
  for (const { name, examples } of commands) {
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) expect(line).toContain(`trotline ${name}`);
  }
});

test('wrong use is exit 2 with a code and what to do, on stderr, as an object under --json, never a stack trace', async () => {
  const here = place();
  for (const args of [
    ['frobnicate'],
    ['run', '--frob'],
    ['explain'],
    ['run', '--max-iterations', 'many', 'x'],
    ['sessions'],
  ]) {
    const { code, stderr, stdout } = await trotline(here, args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Usage|cli\.usage/);
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect(stdout).toBe('');
  }
  const { stderr } = await trotline(here, ['explain', '--json']);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'cli.usage', remedy: expect.stringContaining('--help') });
});

test('an unknown command suggests a known one', async () => {
  expect((await trotline(place(), ['hoks'])).stderr).toContain('hooks');
});

test('the catalogue lists every event, each with its fields', async () => {
  const here = place();
  const { stdout } = await trotline(here, ['events', '--json']);
  const listed = JSON.parse(stdout).events.map(({ name }: { name: string }) => name);
  expect(listed).toEqual(Object.values(events).map(({ name }) => name));
  const one = await trotline(here, ['events', 'tool.call']);
  expect(one.stdout).toContain('tool_use_id');
  const none = await trotline(here, ['events', 'tool.cal']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('tool.call');
});

test('the schema is JSON and knows the keys of a configuration', async () => {
  const { stdout } = await trotline(place(), ['schema']);
  expect(Object.keys(JSON.parse(stdout).properties)).toEqual(expect.arrayContaining(['hooks', 'policy', 'model']));
});

test('hooks of an untrusted project are listed as untrusted and their code does not run; trusted, they stand on the line', async () => {
  const here = place(project);
  here.write('guard.mjs', `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\n${guard}`);
  const before = await trotline(here, ['hooks']);
  expect(before.stdout).toMatch(/guard.*not trusted/);
  expect(existsSync(join(here.cwd, 'ran'))).toBe(false);
  expect((await trotline(here, ['trust', '--yes'])).code).toBe(0);
  const after = await trotline(here, ['hooks', 'tool.call', '--json']);
  expect(JSON.parse(after.stdout).links).toMatchObject([{ event: 'tool.call', owner: { name: 'guard' } }]);
  expect(existsSync(join(here.cwd, 'ran'))).toBe(true);
});

test('trust needs a yes; it is listed, ends when a file changes, and can be revoked', async () => {
  const here = place(project);
  const unasked = await trotline(here, ['trust']);
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toContain('--yes');
  await trotline(here, ['trust', '--yes']);
  expect((await trotline(here, ['trust', '--list'])).stdout).toContain(here.cwd);
  here.write('guard.mjs', `${guard}// changed\n`);
  const changed = await trotline(here, ['hooks', '--json']);
  expect(JSON.parse(changed.stdout).owners).toMatchObject([{ name: 'guard', state: 'untrusted' }]);
  expect((await trotline(here, ['trust'])).stderr).toContain('guard.mjs');
  await trotline(here, ['trust', '--yes']);
  await trotline(here, ['trust', '--revoke']);
  expect((await trotline(here, ['trust', '--list'])).stdout).toContain('No project is trusted');
}, 30_000);

test('explain says who matches, who does not and why, and what the rules say, and runs nothing', async () => {
  const here = place({
    ...project,
    'trotline.json': `${project['trotline.json'].slice(0, -1)}, "policy": { "deny": ["Bash:curl *"] } }`,
  });
  await trotline(here, ['trust', '--yes']);
  const { stdout } = await trotline(here, ['explain', 'Bash', 'command=curl evil', '--json']);
  const explained = JSON.parse(stdout);
  expect(explained.links).toMatchObject([{ owner: { name: 'guard' }, matches: true }]);
  expect(explained.rules.rules).toMatchObject({ decision: 'deny' });
  expect(explained.run).toBeUndefined();
  const read = JSON.parse((await trotline(here, ['explain', 'Read', 'file_path=a', '--json'])).stdout);
  expect(read.links).toMatchObject([{ matches: false, why: expect.any(String) }]);
});

test('explain --run says first that it asks the hooks, asks them, and does not run the tool', async () => {
  const here = place(project);
  await trotline(here, ['trust', '--yes']);
  const denied = await trotline(here, ['explain', 'Bash', 'command=rm -rf x', '--run']);
  expect(denied.stderr).toContain('really asked');
  expect(denied.stdout).toContain('denied: not here');
  await trotline(here, ['explain', 'Bash', 'command=touch made', '--run', '--trust']);
  expect(existsSync(join(here.cwd, 'made'))).toBe(false);
});

test('check names every fault with file, line and column, and exits with 2', async () => {
  const here = place({ 'trotline.json': '{\n  "hooks": {\n    "builtins": { "a": { "enabeld": true } }\n  }\n}\n' });
  const { code, stderr } = await trotline(here, ['check', '--config', 'trotline.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('trotline.json:3:');
  expect(stderr).toContain('config.unknown-key');
});

test('check finds a module that does not load', async () => {
  const here = place({ ...project, 'guard.mjs': 'export const register = (on) => { on(\n' });
  const { code, stderr } = await trotline(here, ['check', '--config', 'trotline.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('guard.mjs');
});

test('check of what is in order is 0', async () => {
  const { code, stdout } = await trotline(place(project), ['check', '--config', 'trotline.json']);
  expect(code).toBe(0);
  expect(stdout).toContain('one hook is ready');
});

test('doctor names keys but never their values, and finds a home that others may write to', async () => {
  const here = place();
  const well = await trotline(here, ['doctor'], { env: { ANTHROPIC_API_KEY: 'sk-very-secret-value' } });
  expect(well.stdout).toContain('ANTHROPIC_API_KEY');
  expect(well.stdout + well.stderr).not.toContain('very-secret');
  expect(well.code).toBe(0);
  const open = join(here.home, 'open');
  mkdirSync(open, { mode: 0o777 });
  chmodSync(open, 0o777);
  const sick = await trotline(here, ['doctor', '--json'], { env: { TROTLINE_HOME: open } });
  expect(sick.code).toBe(2);
  expect(JSON.parse(sick.stdout).findings).toContainEqual(expect.objectContaining({ check: 'home', state: 'error' }));
});

for (const lang of ['ts', 'python', 'sh']) {
  test(`init --lang ${lang} writes a hook that works at once, and never overwrites without --force`, async () => {
    const here = place();
    const made = await trotline(here, ['init', '--lang', lang, '--json']);
    expect(made.stderr).toBe('');
    expect(made.code).toBe(0);
    const { verdicts, written } = JSON.parse(made.stdout);
    expect(verdicts.refused).toMatchObject({ by: 'first-hook', denied: expect.stringContaining('nothing is deleted') });
    expect(verdicts.passed.denied).toBeUndefined();
    for (const file of written) expect(existsSync(file)).toBe(true);
    expect((await trotline(here, ['check'])).code).toBe(0);
    writeFileSync(join(here.cwd, 'trotline.json'), '{ "mine": true }');
    const again = await trotline(here, ['init', '--lang', lang]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('cli.exists');
    expect(readFileSync(join(here.cwd, 'trotline.json'), 'utf8')).toBe('{ "mine": true }');
    expect((await trotline(here, ['init', '--lang', lang, '--force'])).code).toBe(0);
  }, 30_000);
}

test('a reader that goes away early ends a command quietly', async () => {
  const here = place();
  const listing = start(here, ['events', '--json'], { input: '' });
  listing.child.stdout?.destroy();
  const { code, stderr } = await listing.ended;
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('logs shows what a hook printed on stderr, without control sequences', async () => {
  const here = place();
  await trotline(here, ['init', '--lang', 'sh']);
  const file = join(here.cwd, 'hooks/first-hook.sh');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('\nanswer()', `\nprintf 'hello \\033[2Jfrom the hook\\n' >&2\nanswer()`),
  );
  await trotline(here, ['trust', '--yes']);
  await trotline(here, ['hooks']);
  expect((await trotline(here, ['logs'])).stdout).toContain('first-hook');
  expect((await trotline(here, ['logs', 'first-hook'])).stdout).toContain('hello from the hook');
  const none = await trotline(here, ['logs', 'nobody']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('first-hook');
});

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is a failure', () => {
  const here = place();
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [bin, 'events'], {
    env: environment(here),
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toContain('could not be written');
});
