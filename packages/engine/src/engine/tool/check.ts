import { events } from '../../events/catalogue.ts';
import { TrotlineError } from '../../events/errors.ts';
import { isHeld } from '../../events/held.ts';
import { type EventRules, freezeCopy, isControl, type Owner, type TraceEntry } from '../../kernel/index.ts';
import { asInvocation, type Core, messageOf } from '../core.ts';
import type { CheckedCall, Verdict } from '../types.ts';
import { type CallState, checkedCall, type Data } from './state.ts';
import { isLooser, type Judged, stricter } from './verdict.ts';

type Said = {
  readonly decision: Verdict['decision'];
  readonly reason?: string;
  readonly rule?: string;
  readonly hook?: string;
};
const rules: EventRules = events['tool.check'];

const said = ({ decision, reason, source }: Verdict): Said => ({
  decision,
  ...(reason === undefined ? {} : { reason }),
  ...(source.rule === undefined ? {} : { rule: source.rule }),
  ...(source.kind === 'hook' ? { hook: source.name } : {}),
});

/**
 * The permission decision on the final arguments: the `tool.check` chain over what the rules said, and a person where the
 * answer is `ask`. Where nobody can be asked, an ask is a deny.
 */
export async function decide(
  core: Core,
  state: CallState,
  input: Data,
  judged: Judged,
  signal: AbortSignal,
): Promise<Verdict> {
  const call = checkedCall(state, input);
  const hooked = core.hooked('tool.check');
  const verdict =
    hooked || judged.verdict.decision === 'ask' ? await checkChain(core, state, call, judged, signal) : judged.verdict;
  if (verdict.decision !== 'ask' || state.dryRun) return verdict;
  return ask(core, state, call, verdict, judged.floor, signal);
}

/** Raises `tool.check`. Also a query: without a call's id, and without asking anybody. */
export async function checkChain(
  core: Core,
  state: CallState,
  call: CheckedCall,
  judged: Judged,
  signal: AbortSignal,
  isQuery = false,
): Promise<Verdict> {
  let failures: Verdict | undefined;
  let decidedBy: string | undefined;
  const floor = (): Verdict | undefined => stricter(judged.floor, failures);
  const bottom = (): Said => said(stricter(judged.verdict, failures) as Verdict);
  const reconcile = (own: unknown, beneath: unknown, owner: Owner) => {
    const mine = own as Said;
    const under = beneath as Said | undefined;
    const least = isHeld(beneath) ? (beneath as Said) : floor();
    if (least !== undefined && owner.tier !== 'prepend' && isLooser(mine.decision, least.decision)) {
      decidedBy = undefined;
      return {
        value: under !== undefined && !isLooser(under.decision, least.decision) ? under : bottom(),
        code: 'engine.loosened',
      };
    }
    if (under === undefined || under.decision !== mine.decision || under.reason !== mine.reason) decidedBy = owner.name;
    return { value: own };
  };
  let failed: TraceEntry | undefined;
  const result = (await core.dispatch(
    { ...rules, reconcile },
    {
      e: {
        tool: call.tool,
        input: call.input,
        ...(isQuery ? {} : { tool_use_id: call.id }),
        ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
        ...(judged.floor === undefined ? {} : { ceiling: judged.floor.decision }),
      },
      origin: state.origin,
      cause: asInvocation(state.call.cause),
      signal,
      dryRun: state.dryRun,
      bottom,
      onAsk: (link, failure) => {
        const name = link.name ?? link.owner.name;
        failures = stricter(failures, {
          decision: 'ask',
          reason: `${name} ${failure.message}`,
          source: { kind: 'failure', name },
        });
        return core.options.gate?.ask !== undefined;
      },
      onSettled: (trace: () => readonly TraceEntry[]) => {
        failed = trace().find((entry) => entry.failure !== undefined && entry.outcome !== 'skipped');
      },
    },
  )) as Said;
  return verdictOf(result, judged.verdict, failures, decidedBy, failed);
}

function verdictOf(
  result: Said,
  base: Verdict,
  failures: Verdict | undefined,
  decidedBy: string | undefined,
  failed: TraceEntry | undefined,
): Verdict {
  const source = isHeld(result)
    ? ({ kind: 'failure', name: failed?.plugin ?? 'a hook' } as const)
    : decidedBy === undefined
      ? base.decision === result.decision
        ? base.source
        : (failures?.source ?? base.source)
      : ({ kind: 'hook', name: decidedBy } as const);
  return { decision: result.decision, ...(result.reason === undefined ? {} : { reason: result.reason }), source };
}

async function ask(
  core: Core,
  state: CallState,
  call: CheckedCall,
  verdict: Verdict,
  floor: Verdict | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  const answer = await permissionRequest(core, state, call, floor, signal);
  if (answer !== undefined) return answer;
  const { gate } = core.options;
  if (gate?.ask === undefined) return denied(gate?.unasked?.(call, verdict) ?? unasked(call, verdict), verdict.source);
  try {
    // Who is asked may keep the call: what it does to it afterwards must not reach the tool.
    const answered = await gate.ask({ ...call, input: freezeCopy(call.input) }, verdict, signal);
    return answered.decision === 'allow' ? answered : { ...answered, decision: 'deny' };
  } catch (error) {
    if (isControl(error)) throw error;
    if (signal.aborted) state.aborted = true;
    return denied(`nobody answered the question about ${call.tool}: ${messageOf(error)}`, {
      kind: 'failure',
      name: 'the question',
    });
  }
}

const denied = (reason: string, source: Verdict['source']): Verdict => ({ decision: 'deny', reason, source });

const unasked = (call: CheckedCall, verdict: Verdict): string =>
  new TrotlineError('engine.unasked', {
    what: `${call.tool} needs a person’s permission${verdict.reason === undefined ? '' : ` (${verdict.reason})`} and nobody can be asked`,
  }).message;

/** Settings hooks that answer in the person's place. They may not lift what a rule or a failed hook wants asked. */
async function permissionRequest(
  core: Core,
  state: CallState,
  call: CheckedCall,
  floor: Verdict | undefined,
  signal: AbortSignal,
): Promise<Verdict | undefined> {
  const event = events['classic.PermissionRequest'];
  if (!core.hooked(event.name)) return undefined;
  const { decision } = (await core.dispatch(event, {
    e: { ...core.envelope(event.name), tool_name: call.tool, tool_input: call.input },
    origin: state.origin,
    cause: asInvocation(state.call.cause),
    signal,
    bottom: () => ({}),
  })) as { readonly decision?: { readonly behavior: string; readonly message?: string; readonly updatedInput?: Data } };
  const source = { kind: 'hook', name: 'PermissionRequest' } as const;
  if (decision?.behavior === 'deny') return denied(decision.message ?? 'denied by a PermissionRequest hook', source);
  // New arguments would have to pass the rules again: they are a matter of PreToolUse.
  if (decision?.behavior === 'allow' && floor === undefined && decision.updatedInput === undefined) {
    return { decision: 'allow', source };
  }
  return undefined;
}
