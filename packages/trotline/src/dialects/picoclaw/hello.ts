import { type Caller, PeerError } from '../../supervise/process/index.ts';
import { isObject } from './json.ts';
import type { Observing } from './observe.ts';
import type { ProcessSpec } from './types.ts';

export type WireDialect = 'docs' | 'upstream';

/**
 * Shakes hands: one request in the words of both dialects. A numeric `protocol_version` in the answer is the mark of a
 * hook written to the published documents; any object is accepted, as PicoClaw does.
 */
export async function hello(caller: Caller, hook: ProcessSpec, observing: Observing): Promise<WireDialect> {
  const { intercept } = hook;
  const modes = [
    ...(observing.kinds.length > 0 ? ['observe'] : []),
    ...(intercept.some((point) => point.endsWith('_llm')) ? ['llm'] : []),
    ...(intercept.some((point) => point === 'before_tool' || point === 'after_tool') ? ['tool'] : []),
    ...(intercept.includes('approve_tool') ? ['approve'] : []),
  ];
  const params = {
    name: hook.name,
    version: 1,
    protocol_version: 1,
    modes,
    intercept,
    observe: observing.kinds,
  };
  const answer = await caller.call('hook.hello', params);
  if (!isObject(answer)) throw notAnObject(answer);
  if (hook.dialect !== 'auto') return hook.dialect;
  return typeof answer['protocol_version'] === 'number' ? 'docs' : 'upstream';
}

const notAnObject = (answer: unknown): PeerError =>
  new PeerError('shape', 'picoclaw.misfit', {
    what: `it answered hook.hello with ${(JSON.stringify(answer) ?? 'nothing').slice(0, 60)}`,
    expected: 'an object',
  });
