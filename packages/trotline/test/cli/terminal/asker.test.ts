import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { createTerminalAsker, questionText, readAnswer } from '../../../src/cli/terminal/asker.ts';
import { noAnswer } from '../../../src/cli/terminal/lines.ts';
import type { LineQuestion } from '../../../src/host/index.ts';

const colors = picocolors.createColors(false);
const question = (input: Record<string, unknown>): LineQuestion => ({
  tool: 'Bash',
  input,
  by: 'a rule',
  reason: 'it writes',
  digest: 'd',
});
const never = new AbortController().signal;

test('only a plain yes is one; an empty line, Ctrl-C and anything else mean no', () => {
  expect(readAnswer('y').decision).toBe('allow');
  expect(readAnswer(' YES ').decision).toBe('allow');
  expect(readAnswer('s')).toMatchObject({ decision: 'allow', remember: 'session' });
  for (const typed of ['', 'n', 'no', 'yeah', 'y please', 'yy', noAnswer] as const) {
    expect(readAnswer(typed).decision).toBe('deny');
  }
});

test('what is typed instead of yes or no is the reason that the model reads', () => {
  expect(readAnswer('use the staging server').reason).toBe('the person said: use the staging server');
  expect(readAnswer('no, not today').reason).toBe('the person said: not today');
});

test('the question shows who asks, why, and every argument of the exact call', () => {
  const text = questionText(question({ command: 'rm -rf build', timeout: 5 }), colors);
  for (const part of ['Bash', 'a rule', 'it writes', 'command: rm -rf build', 'timeout: 5'])
    expect(text).toContain(part);
});

test('hidden characters of the call are made visible', () => {
  expect(questionText(question({ command: 'ls\u001b[8m; rm -rf ~' }), colors)).toContain('ls\\x1b[8m; rm -rf ~');
});

test('of a long argument beginning and end are shown, and how much is left out is said', () => {
  const text = questionText(question({ content: `start${'x'.repeat(1_000_000)}end` }), colors);
  expect(text).toContain('start');
  expect(text).toContain('end');
  expect(text).toMatch(/998008 characters not shown/);
  expect(text.length).toBeLessThan(4000);
});

test('an argument’s name draws no lines of its own, and a tool’s name hides nothing', () => {
  const input = { command: 'rm x', 'a\n? Read  asked by nobody': 1 };
  const text = questionText({ ...question(input), tool: 'Ba\u001b[2Jsh' }, colors);
  expect(text.split('\n').filter((line) => line.startsWith('?'))).toHaveLength(1);
  expect(text.split('\n')[0]).toContain('Ba\\x1b[2Jsh');
});

test('lines and arguments in masses leave the question on the screen, and are counted', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x${at}`, at]));
  const text = questionText(question({ command: `rm -rf ~\n${'\n'.repeat(1000)}ls`, ...many }), colors);
  expect(text).toContain('rm -rf ~');
  expect(text).toContain('│ ls');
  expect(text).toMatch(/962 lines not shown/);
  expect(text).toMatch(/961 more arguments not shown/);
  expect(text.split('\n').length).toBeLessThan(100);
});

test('two questions are asked one after the other', async () => {
  const order: string[] = [];
  let answer: ((typed: string) => void) | undefined;
  const asker = createTerminalAsker({ err: () => order.push('shown'), errColors: colors }, () => {
    order.push('prompted');
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const [first, second] = [asker.ask(question({}), never), asker.ask(question({}), never)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['shown', 'prompted']);
  answer?.('y');
  expect((await first).decision).toBe('allow');
  await new Promise((resolve) => setImmediate(resolve));
  answer?.('n');
  expect((await second).decision).toBe('deny');
});

test('a question whose turn was interrupted is not asked', async () => {
  const asker = createTerminalAsker({ err: () => {}, errColors: colors }, async () => 'y');
  const gone = AbortSignal.abort(new Error('interrupted'));
  await expect(asker.ask(question({}), gone)).rejects.toThrow('interrupted');
});
