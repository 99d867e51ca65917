import { expect, test } from 'vitest';
import type { LoadedConfig } from '../../src/config/index.ts';
import { codesOf, workspace } from './workspace.ts';

const servers = (mcp_servers: object): object => ({ agent: { mcp_servers } });
const started = ({ merged }: LoadedConfig): unknown[] =>
  merged.agent.mcpServers.map(({ name, command, enabled, layer }) => [name, command.join(' '), enabled, layer]);

test('a server is on unless it says otherwise, and its command is as written', async () => {
  const space = workspace();
  space.write(
    'home/trotline.json',
    servers({
      on: { command: ['node', 'server.mjs'], env: { A: 'b' } },
      off: { command: ['node'], enabled: false },
    }),
  );
  const loaded = await space.load();
  expect(codesOf(loaded)).toEqual([]);
  expect(started(loaded)).toEqual([
    ['on', 'node server.mjs', true, 'person'],
    ['off', 'node', false, 'person'],
  ]);
  expect(loaded.merged.agent.mcpServers[0]).toMatchObject({ env: { A: 'b' }, dir: space.project });
});

test('a project adds servers, and does not replace, switch off or change one above it', async () => {
  const space = workspace();
  space.write('managed.json', servers({ firm: { command: ['firm'] } }));
  space.write('home/trotline.json', servers({ mine: { command: ['mine'] }, firm: { command: ['other'] } }));
  space.write(
    'project/trotline.json',
    servers({
      mine: { command: ['evil'] },
      firm: { command: ['evil'], enabled: false },
      extra: { command: ['extra'] },
    }),
  );
  const loaded = await space.load();
  expect(started(loaded)).toEqual([
    ['firm', 'firm', true, 'managed'],
    ['mine', 'mine', true, 'person'],
    ['extra', 'extra', true, 'project'],
  ]);
  expect(loaded.problems.map(({ code, key }) => [code, key])).toEqual([
    ['config.managed-stays', 'agent.mcp_servers.firm'],
    ['config.project-cannot-replace', 'agent.mcp_servers.mine'],
    ['config.project-cannot-replace', 'agent.mcp_servers.firm'],
  ]);
});

test('no server of a project counts before the project is trusted, and its script is covered by the trust', async () => {
  const space = workspace();
  space.write('project/trotline.json', servers({ extra: { command: ['node', 'server.mjs'] } }));
  const script = space.write('project/server.mjs', 'export {};');
  const untrusted = await space.load({ trustOnce: false });
  expect(untrusted.merged.agent.mcpServers).toEqual([]);
  expect(untrusted.layers[0]?.mcpServers).toMatchObject([{ name: 'extra' }]);
  const trusted = await space.load();
  const inputs = trusted.layers[0]?.inputs ?? {};
  expect(Object.keys(inputs)).toContain(script);
  space.write('project/server.mjs', 'export const changed = 1;');
  const changed = await space.load({ trustOnce: inputs });
  expect(changed.merged.agent.mcpServers).toEqual([]);
});

test.each(['', 'a b', 'a__b', 'a_', '_a', 'a.b', 'x'.repeat(65), 'ä'])('%j cannot be a name', async (name) => {
  const space = workspace();
  space.write('home/trotline.json', servers({ [name]: { command: ['x'] }, 'fine_name-1': { command: ['x'] } }));
  const loaded = await space.load();
  expect(loaded.problems).toMatchObject([
    { code: 'config.wrong-value', severity: 'error', expected: /letters|characters/ },
  ]);
  expect(started(loaded)).toEqual([['fine_name-1', 'x', true, 'person']]);
});

test.each([
  ['no command', {}, 'config.missing-value'],
  ['an empty command', { command: [] }, 'config.missing-value'],
  ['a command that is a string', { command: 'node server.mjs' }, 'config.string-for-list'],
  ['a key of another program', { command: ['x'], args: ['y'] }, 'config.unknown-key'],
  ['a variable without a name', { command: ['x'], env: { '': 'b' } }, 'config.wrong-value'],
  ['a folder that is not there', { command: ['x'], dir: 'gone' }, 'config.missing-file'],
])('%s is told with its place', async (_, server, code) => {
  const space = workspace();
  space.write('home/trotline.json', servers({ s: server }));
  const { problems } = await space.load();
  expect(problems).toMatchObject([
    { code, severity: 'error', line: 1, key: expect.stringMatching(/^agent\.mcp_servers/) },
  ]);
});

test('a project cannot start a server outside its folder', async () => {
  const space = workspace();
  space.write('project/trotline.json', servers({ s: { command: ['x'], dir: '..' } }));
  const loaded = await space.load();
  expect(codesOf(loaded)).toEqual(['config.leaves-root']);
  expect(started(loaded)).toEqual([]);
});

test('a file that extends another gives a server of the same name its own command', async () => {
  const space = workspace();
  space.write('home/base.json', servers({ one: { command: ['base'] }, two: { command: ['base'] } }));
  space.write('home/trotline.json', { extends: 'base.json', ...servers({ two: { command: ['own'] } }) });
  expect(started(await space.load())).toEqual([
    ['one', 'base', true, 'person'],
    ['two', 'own', true, 'person'],
  ]);
});

test('what a request is made of cannot be set among the options of the model', async () => {
  const space = workspace();
  space.write('home/trotline.json', {
    model: { name: 'a/b', options: { top_p: 0.5, messages: [], tools: [], max_tokens: 9 } },
  });
  const { problems } = await space.load();
  expect(problems.map(({ code, key }) => [code, key])).toEqual([
    ['config.wrong-value', 'model.options.messages'],
    ['config.wrong-value', 'model.options.tools'],
    ['config.wrong-value', 'model.options.max_tokens'],
  ]);
});

test('a key that nothing reads is not taken: keep_days of the records', async () => {
  const space = workspace();
  space.write('home/trotline.json', { records: { keep_days: 3 } });
  expect((await space.load()).problems).toMatchObject([{ code: 'config.unknown-key', key: 'records.keep_days' }]);
});
