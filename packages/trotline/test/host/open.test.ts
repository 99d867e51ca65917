import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, type World, world } from './support.ts';

let w: World;
beforeEach(() => {
  w = world();
});
afterEach(() => w.remove());

const guard = (word: string, text = 'guarded'): string => `
export const register = (on) => {
  on('tool.call', { tool: 'Bash' }, ($, e, next) => (e.command.includes(${JSON.stringify(word)}) ? { deny: ${JSON.stringify(text)} } : next(e)));
};
`;

test("a person's hook from their own file guards without any trust question", async () => {
  w.file('home/trotline.json', { hooks: { builtins: { guard: { enabled: true, module: './guard.ts' } } } });
  w.file('home/guard.ts', guard('made'));
  const line = await w.open({ allow: ['*'] });
  expect((await bash(line, 'touch made')).deny).toBe('guarded');
  expect(existsSync(join(w.project, 'made'))).toBe(false);
  await bash(line, 'touch other');
  expect(existsSync(join(w.project, 'other'))).toBe(true);
});

test('without a terminal, Bash is denied with words that name --allow and policy', async () => {
  const line = await w.open();
  const out = await bash(line, 'touch made');
  expect(out.deny).toMatch(/--allow/);
  expect(out.deny).toMatch(/policy/);
  expect(existsSync(join(w.project, 'made'))).toBe(false);
});

test('a rule denies although everything else is allowed', async () => {
  w.file('home/trotline.json', { policy: { deny: [{ tool: 'Bash', pattern: 'rm *', reason: 'no removing' }] } });
  const line = await w.open({ allow: ['*'] });
  w.file('project/kept', '');
  expect((await bash(line, 'rm kept')).deny).toContain('no removing');
  expect((await bash(line, 'true && rm kept')).deny).toContain('no removing');
  expect(existsSync(join(w.project, 'kept'))).toBe(true);
});

test('a rule that asks takes the answer of the person, and nobody to ask means no', async () => {
  w.file('home/trotline.json', { policy: { ask: ['Bash:touch *'] } });
  const asked: string[] = [];
  const yes = await w.open({
    allow: ['*'],
    asker: {
      ask: async (question) => {
        asked.push(String(question.input['command']));
        return { decision: 'allow' };
      },
    },
  });
  await bash(yes, 'touch made');
  expect(asked).toEqual(['touch made']);
  expect(existsSync(join(w.project, 'made'))).toBe(true);
  const nobody = await w.open({ allow: ['*'] });
  expect((await bash(nobody, 'touch more')).deny).toBeDefined();
  expect(existsSync(join(w.project, 'more'))).toBe(false);
});

test('while a line closes nothing runs without its hooks, be they slow to end', async () => {
  w.file('home/trotline.json', {
    hooks: {
      builtins: { guard: { enabled: true, module: './guard.ts', on_error: 'closed' } },
      processes: { slow: { enabled: true, command: ['sh', w.file('slow.sh', slow)], intercept: ['after_llm'] } },
    },
  });
  w.file('home/guard.ts', `export const register = (on) => { on('tool.call', () => ({ deny: 'guarded' })); };`);
  const line = await w.open({ allow: ['*'] });
  const closing = line.close();
  const tries = [];
  for (let at = 0; at < 20; at++) {
    tries.push(
      await bash(line, 'touch made').then(
        ({ deny }) => deny,
        (error: { code: string }) => error.code,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await closing;
  expect(existsSync(join(w.project, 'made'))).toBe(false);
  expect(new Set(tries)).toEqual(new Set(['engine.closed']));
  expect(await line.reload()).toMatchObject({ changed: false });
});

/** Shakes hands, and takes its time to end. */
const slow = `
while IFS= read -r line; do id=\${line#*'"id":'}; printf '{"jsonrpc":"2.0","id":%s,"result":{}}\\n' "\${id%%[!0-9]*}"; done
sleep 1`;
