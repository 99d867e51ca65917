import {
  AbortTurn,
  type FailureClass,
  HardAbort,
  type HookError,
  type HookOptions,
  type Maybe,
  type OwnerRegistrar,
} from '@trotline/engine';
import type { Peer } from '../../supervise/process/index.ts';
import type { Decision } from './decision.ts';
import { misfit } from './json.ts';
import { envelopeOf, type Placed, type TracePath, type TurnTrack } from './meta.ts';
import { noReason } from './texts.ts';
import type { ProcessSpec } from './types.ts';

/** What the links of one process hook share. */
export interface LinkContext {
  readonly hook: ProcessSpec;
  readonly peer: Peer;
  readonly owner: OwnerRegistrar;
  readonly track: TurnTrack;
}

/** As much of `next` as links need beside calling it. */
export interface LinkNext {
  (e: unknown): unknown;
  readonly signal: AbortSignal;
  readonly dryRun: boolean;
  note(code: string, reason?: string): void;
}

export type Stage = 'before_llm' | 'after_llm' | 'before_tool' | 'after_tool' | 'approve_tool';

const traces: Record<Stage, TracePath> = {
  before_llm: 'turn.llm.request',
  after_llm: 'turn.llm.response',
  before_tool: 'turn.tool.before',
  after_tool: 'turn.tool.after',
  approve_tool: 'turn.tool.approve',
};

export const budgetOf = (hook: ProcessSpec, stage: Stage): number =>
  stage === 'approve_tool' ? hook.timeouts.approvalMs : hook.timeouts.interceptorMs;

/** Sends one stage's request and waits for its answer, no longer than the link has. */
export function ask(
  { hook, peer, track }: LinkContext,
  stage: Stage,
  e: Placed,
  params: object,
  next: LinkNext,
): Promise<unknown> {
  const whole = { ...envelopeOf(track, e, traces[stage], next.dryRun), ...params };
  return peer.call(`hook.${stage}`, whole, { signal: next.signal, timeoutMs: budgetOf(hook, stage) });
}

/** Seats a stage on an event, under the hook's failure policy and time. */
export function seat(
  { hook, owner }: LinkContext,
  event: string,
  stage: Stage,
  half: HookOptions['half'],
  link: ($: unknown, e: never, next: LinkNext) => unknown,
  refusalText?: (failure: { readonly class: FailureClass }) => string,
): void {
  const policy = hook.onError ?? (stage === 'approve_tool' ? 'closed' : 'open');
  const registration = owner.on(
    event,
    link as never,
    {
      name: `${hook.name}.${stage}`,
      priority: hook.priority,
      onFailure: policy === 'abort' ? 'closed' : policy,
      budgetMs: budgetOf(hook, stage),
      ...(half === undefined ? {} : { half }),
      ...(refusalText === undefined ? {} : { refusalText }),
    } as HookOptions,
  );
  if (policy === 'abort') registration.catch(abortOnFailure(hook.name, stage));
}

/** `on_error: abort`: whatever the failure, it ends the turn. */
const abortOnFailure =
  (name: string, stage: Stage) =>
  (_$: unknown, _e: unknown, next: { readonly error?: HookError }): Maybe<never> => {
    throw new AbortTurn(name, `failed during ${stage}: ${next.error?.message ?? next.error?.class ?? 'no answer'}`);
  };

const actions = ['continue', 'modify', 'respond', 'deny_tool'];

/**
 * Control goes up to the host; of the other actions those legal at this stage are the caller's to act on. One that does not
 * exist is a failure: whoever answers `deny` wants something stopped, and the hook's policy says whether it is.
 */
export function obey(
  { hook }: LinkContext,
  { action, reason }: Decision,
  legal: readonly string[],
  next: LinkNext,
): string {
  if (action === 'abort_turn') throw new AbortTurn(hook.name, reason === '' ? noReason : reason);
  if (action === 'hard_abort') throw new HardAbort(hook.name, reason === '' ? noReason : reason);
  if (action === 'continue' || action === 'modify' || legal.includes(action)) return action;
  if (!actions.includes(action))
    misfit(`its answer has the action ${JSON.stringify(action.slice(0, 60))}, which does not exist`);
  next.note('picoclaw.action-ignored', `"${action}" has no effect here`);
  return 'ignored';
}
