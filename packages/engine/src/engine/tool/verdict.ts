import { TrotlineError } from '../../events/errors.ts';
import { messageOf } from '../core.ts';
import type { CheckedCall, Decision, Gate, Verdict } from '../types.ts';

const rank: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two verdicts; the first where both are as strict. */
export function stricter(a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return rank[b.decision] > rank[a.decision] ? b : a;
}

export const isLooser = (a: Decision, b: Decision): boolean => rank[a] < rank[b];

/** What is decided about a call before `tool.check`, and beneath what a hook may not go. */
export interface Judged {
  readonly verdict: Verdict;
  /** A verdict of the managed layer, a rule or a failure: no hook of tier `user` or inside it may be looser. */
  readonly floor: Verdict | undefined;
}

/** Asks one part of the gate. A gate that throws denies: nobody knows what it would have said. */
export function asked(
  judge: ((call: CheckedCall) => Verdict | undefined) | undefined,
  call: CheckedCall,
  name: string,
): Verdict | undefined {
  if (judge === undefined) return undefined;
  try {
    return judge(call);
  } catch (error) {
    const { message } = new TrotlineError('engine.gate-failed', {
      what: `${name} failed on ${call.tool}: ${messageOf(error)}`,
      cause: error,
    });
    return { decision: 'deny', reason: message, source: { kind: 'failure', name } };
  }
}

export const managedVerdict = (gate: Gate | undefined, call: CheckedCall): Verdict | undefined =>
  asked(gate?.managed?.bind(gate), call, 'the managed policy');

const allowed: Verdict = { decision: 'allow', source: { kind: 'default', name: 'default' } };

/**
 * The verdict on the final value. Managed layer, rules and failed hooks set the floor; a settings hook may be stricter, and
 * stands in for the default where no rule spoke.
 */
export function judge(
  gate: Gate | undefined,
  call: CheckedCall,
  hook: Verdict | undefined,
  failures: Verdict | undefined,
  loosening: boolean,
): Judged {
  const managed = managedVerdict(gate, call);
  const rules = asked(gate?.rules?.bind(gate), call, 'the rules');
  const spoken = stricter(managed, rules);
  const held = stricter(failures, loosening && spoken?.source.kind !== 'failure' ? undefined : spoken);
  const floor = held === undefined || held.decision === 'allow' ? undefined : held;
  const fallback = (): Verdict => asked(gate?.fallback?.bind(gate), call, 'the permission default') ?? allowed;
  const base = stricter(stricter(spoken, failures), hook);
  // A hook that merely failed and wants a person asked says nothing about the rest: the default still counts.
  const verdict =
    spoken === undefined && hook === undefined ? (stricter(base, fallback()) as Verdict) : (base as Verdict);
  return { verdict, floor };
}
