import {
  AbortTurn,
  type Failure,
  HardAbort,
  type HookError,
  HookFailure,
  type HookOptions,
  type Maybe,
  type OwnerRegistrar,
} from '@trotline/engine';
import type { OnError } from '../../config/index.ts';
import { type Peer, PeerError } from '../../supervise/process/index.ts';
import { type Decision, decisionOf, replyOf } from './decision.ts';
import { misfit, type Obj } from './json.ts';
import { envelopeOf, type Placed, type TracePath, type TurnTrack } from './meta.ts';
import { noReason, withoutName } from './texts.ts';
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
export async function ask(
  { hook, peer, track }: LinkContext,
  stage: Stage,
  e: Placed,
  params: object,
  next: LinkNext,
): Promise<Obj> {
  const whole = { ...envelopeOf(track, e, traces[stage], next.dryRun), ...params };
  const options = { signal: next.signal, timeoutMs: budgetOf(hook, stage) };
  const result = await peer.call(`hook.${stage}`, whole, options).catch((error: unknown) => {
    throw failureOf(hook.name, error);
  });
  return replyOf(result, stage !== 'approve_tool' && isGuardAt(hook, stage));
}

/** A failure of the process as that of its link, which is told with the hook's name and without advice to its author. */
function failureOf(name: string, error: unknown): unknown {
  if (!(error instanceof PeerError)) return error;
  return new HookFailure(error.failureClass, withoutName(name, error.detail.what), { cause: error });
}

/** Seats a stage on an event, under the hook's failure policy and time. */
export function seat(
  { hook, owner }: LinkContext,
  event: string,
  stage: Stage,
  half: HookOptions['half'],
  link: ($: unknown, e: never, next: LinkNext) => unknown,
  refusalText: (failure: Failure) => string = (failure) => failedText(hook.name, stage, failure),
): void {
  const policy = policyOf(hook, stage);
  const registration = owner.on(
    event,
    link as never,
    {
      name: `${hook.name}.${stage}`,
      priority: hook.priority,
      onFailure: policy === 'abort' ? 'closed' : policy,
      budgetMs: budgetOf(hook, stage),
      refusalText,
      ...(half === undefined ? {} : { half }),
    } as HookOptions,
  );
  // A model request has no refusal: what fails closed there ends the turn as well.
  if (policy === 'abort' || (policy !== 'open' && event === 'llm.request')) {
    registration.catch(abortOnFailure(hook.name, stage));
  }
}

/** What a failure of the hook means at a stage. An approver fails closed unless its entry says otherwise. */
const policyOf = ({ onError }: ProcessSpec, stage: Stage): OnError =>
  onError ?? (stage === 'approve_tool' ? 'closed' : 'open');

/** Is the hook there to stop things at this stage? Then an answer that says nothing is no yes. */
const isGuardAt = (hook: ProcessSpec, stage: Stage): boolean => policyOf(hook, stage) !== 'open';

/** Whatever the failure, it ends the turn. */
const abortOnFailure =
  (name: string, stage: Stage) =>
  (_$: unknown, _e: unknown, next: { readonly error?: HookError }): Maybe<never> => {
    throw new AbortTurn(name, `failed during ${stage}: ${next.error?.message ?? next.error?.class ?? 'no answer'}`);
  };

/** Why a call is refused when a hook fails closed. */
function failedText(name: string, stage: Stage, failure: Failure): string {
  const subject = stage.endsWith('_llm') ? 'the model' : 'the tool';
  const after = failure.ran ? `; ${subject} ran, and its result is withheld` : '';
  return `process hook "${name}" failed at ${stage}, and fails closed: ${failure.message}${after}`;
}

/** What each stage reads beside the verdict. */
const payloads: Record<Stage, readonly string[]> = {
  before_llm: ['request'],
  after_llm: ['response'],
  before_tool: ['call', 'args', 'arguments', 'tool', 'name'],
  after_tool: ['result', 'hook_result'],
  approve_tool: [],
};

/**
 * Reads the verdict of an answer. Control goes up to the host; `respond` and `deny` are legal at `before_tool` alone.
 * Elsewhere they are the failure of a hook that wanted something stopped, and its policy says whether it is.
 */
export function obey({ hook }: LinkContext, stage: Stage, reply: Obj, next: LinkNext): Decision {
  const decision = decisionOf(reply, payloads[stage]);
  const { action, reason, readFrom } = decision;
  if (readFrom !== undefined) next.note('picoclaw.read-as', `${readFrom} is read as "${action}"`);
  if (action === 'abort_turn') throw new AbortTurn(hook.name, reason === '' ? noReason : reason);
  if (action === 'hard_abort') throw new HardAbort(hook.name, reason === '' ? noReason : reason);
  if (stage !== 'before_tool' && (action === 'deny' || action === 'respond'))
    misfit(`answered "${action}", which has no effect at ${stage}${reason === '' ? '' : ` (${reason.slice(0, 200)})`}`);
  return decision;
}
