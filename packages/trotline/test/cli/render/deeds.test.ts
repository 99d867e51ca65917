import type { TraceEntry } from '@trotline/engine';
import { expect, test } from 'vitest';
import { deedsOf } from '../../../src/cli/render/deeds.ts';

const entry = (index: number, of: Partial<TraceEntry>): TraceEntry => ({
  index,
  plugin: `p${index}`,
  tier: 'user',
  event: 'tool.call',
  outcome: 'returned',
  ms: 1,
  ...of,
});
const call = { tool: 'Bash', command: 'ls' };
const done = { result: 'x' };
const bottom = (index: number, received: unknown): TraceEntry =>
  entry(index, { plugin: 'engine', tier: 'core', received, returned: done });
const kinds = (trace: TraceEntry[]): string[] => deedsOf(trace).map(({ kind }) => kind);

test('a link that gave on what it got, and gave back what it got back, passed it on', () => {
  expect(kinds([bottom(1, call), entry(0, { received: call, returned: { ...done } })])).toEqual(['passed']);
});

test('who changed the call and who changed the result are told apart', () => {
  const slow = { ...call, timeout: 5 };
  const trace = [
    entry(0, { received: call, returned: { result: 'y' } }),
    entry(1, { received: call, returned: done }),
    bottom(2, slow),
  ];
  expect(kinds(trace)).toEqual(['rewrote-result', 'rewrote-call']);
});

test('a denial belongs to the link that spoke it, not to those that carried it up', () => {
  const denied = { deny: 'no' };
  const trace = [entry(0, { received: call, returned: { ...denied } }), entry(1, { received: call, returned: denied })];
  expect(deedsOf(trace)).toMatchObject([{ kind: 'passed' }, { kind: 'denied', detail: 'no' }]);
});

test('a link with nothing beneath it answered itself', () => {
  expect(kinds([entry(0, { received: call, returned: done })])).toEqual(['answered']);
});

test('a failing link is told with its code and cause', () => {
  const trace = [
    entry(0, { outcome: 'skipped', code: 'kernel.threw', reason: 'threw Error: boom', received: call }),
    bottom(1, call),
  ];
  expect(deedsOf(trace)).toMatchObject([{ kind: 'failed', detail: 'skipped threw Error: boom kernel.threw' }]);
});
