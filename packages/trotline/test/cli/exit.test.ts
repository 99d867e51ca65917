import { TrotlineError } from '@trotline/engine';
import { expect, test } from 'vitest';
import { exitOf } from '../../src/cli/exit.ts';

const of = (code: ConstructorParameters<typeof TrotlineError>[0]): number =>
  exitOf(new TrotlineError(code, { what: 'x' }));

test('what the caller has to mend before anything can run is 2', () => {
  for (const code of [
    'cli.usage',
    'config.syntax',
    'agent.no-key',
    'agent.no-model',
    'agent.script-file',
    'approvals.allow-syntax',
    'trust.nothing-to-trust',
  ] as const) {
    expect(of(code)).toBe(2);
  }
});

test('an unmet script is 3, and everything that fails at work is 1', () => {
  expect(of('agent.script-unmet')).toBe(3);
  expect(of('agent.model-unreachable')).toBe(1);
  expect(of('cli.internal')).toBe(1);
  expect(exitOf(new Error('boom'))).toBe(1);
});
