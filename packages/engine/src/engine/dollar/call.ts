import { TrotlineError } from '../../events/errors.ts';
import type { OpDef } from '../../events/ops/define.ts';
import type { BottomCall, Invocation, Maybe, Origin, Owner } from '../../kernel/index.ts';
import { type Core, messageOf } from '../core.ts';
import { anySignal, isSignal } from '../platform.ts';

/** Whoever calls an op: the hook's owner, and the invocation that everything beneath is caused by. */
export interface Caller {
  readonly invocation: Invocation;
  readonly origin: Origin;
}

export const callerOf = (invocation: Invocation): Caller => ({
  invocation,
  origin: { plugin: invocation.link.owner.name, tier: invocation.link.owner.tier },
});

const isUser = (owner: Owner): boolean => owner.tier === 'user';

/** The signal of an op: its dispatch's, and that of the hook that called it. Made when it is read. */
export const contextOf = ({ invocation, origin }: Caller, call: BottomCall) => ({
  origin,
  cause: invocation,
  get signal() {
    return anySignal(call.signal, invocation.signal);
  },
});

/** A deny of an op, as its caller sees it. */
export const denial = (plugin: string, op: string, reason: string): Error =>
  Object.assign(new Error(`${plugin}: $.${op}: ${reason}`), { name: 'OpDenied', code: 'engine.op-denied' });

export const noOp = (plugin: string, op: string): TrotlineError =>
  new TrotlineError('engine.no-op', { what: `${plugin} called $.${op}, which this host cannot serve` });

/** Throws for an op that a hook may not call now. */
export function refuseNow({ invocation, origin }: Caller, op: string, changes: boolean): void {
  if (changes && invocation.dryRun) {
    throw new TrotlineError('engine.dry-run', { what: `${origin.plugin} called $.${op} while it was only tried out` });
  }
  if (op !== 'state.set') return;
  for (let cause: Invocation | undefined = invocation; cause !== undefined; cause = cause.cause) {
    if (cause.event === 'ui.render') throw denial(origin.plugin, op, 'state cannot be set while a hook draws');
  }
}

/** The data of an op's event. Throws `engine.op-arguments`. */
function argumentsOf(op: OpDef, plugin: string, args: readonly unknown[]): unknown {
  const wrong = (why: string): TrotlineError =>
    new TrotlineError('engine.op-arguments', {
      what: `${plugin} called $.${op.name} with arguments that do not fit: ${why}`,
    });
  let e: unknown;
  try {
    e = op.args(...(args as readonly never[]));
  } catch (error) {
    throw wrong(messageOf(error));
  }
  const misfit = op.eventMisfit(e);
  if (misfit !== undefined) throw wrong(misfit);
  return e;
}

/** The signal among the arguments of a call. It never crosses to the event. */
const signalIn = (args: readonly unknown[]): AbortSignal | undefined => {
  const last = args.at(-1) as { readonly signal?: unknown } | null | undefined;
  return last !== null && typeof last === 'object' && isSignal(last.signal) ? last.signal : undefined;
};

/** Raises an op's event. A stream event answers a stream. Throws what `refuseNow` and `argumentsOf` throw. */
export function raiseOp(
  core: Core,
  caller: Caller,
  op: OpDef,
  args: readonly unknown[],
  signal = signalIn(args),
): Maybe<unknown> {
  const { invocation, origin } = caller;
  refuseNow(caller, op.name, op.changes);
  const given = argumentsOf(op, origin.plugin, args) as Readonly<Record<string, unknown>>;
  const e = core.served.bottom(op.name)?.prepare?.(given, origin) ?? given;
  return core.dispatch(op, {
    e,
    origin,
    cause: invocation,
    dryRun: invocation.dryRun,
    ...(signal === undefined ? {} : { signal }),
    ...(origin.tier === 'prepend' || origin.tier === 'append' ? { passes: isUser } : {}),
    bottom: (final: Readonly<Record<string, unknown>>, call: BottomCall) => {
      const bottom = core.served.bottom(op.name);
      if (bottom === undefined) throw noOp(origin.plugin, op.name);
      const answer = bottom(final, contextOf(caller, call));
      if (op.stream) return answer;
      return answer instanceof Promise ? answer.then((value) => ({ value })) : { value: answer };
    },
  });
}

/** The value of an op's result, or a rejection with its deny. */
export function unwrap(plugin: string, op: string, result: unknown): unknown {
  const { deny, value } = result as { readonly deny?: string; readonly value?: unknown };
  if (deny !== undefined) throw denial(plugin, op, deny);
  return value;
}

/** Calls an op: its value, or a rejection. The hook's clock stands still meanwhile, except while it sleeps. */
export async function callOp(core: Core, caller: Caller, op: OpDef, args: readonly unknown[]): Promise<unknown> {
  const counts = op.name === 'clock.sleep';
  if (!counts) caller.invocation.pause();
  try {
    return unwrap(caller.origin.plugin, op.name, await raiseOp(core, caller, op, args));
  } finally {
    if (!counts) caller.invocation.resume();
  }
}

/** Calls an op whose caller gets nothing and waits for nothing. A deny is told as a notice. */
export function callSilently(core: Core, caller: Caller, op: OpDef, args: readonly unknown[]): void {
  callOp(core, caller, op, args).catch((error: unknown) => {
    core.notice('op.denied', { owner: caller.origin.plugin, op: op.name, reason: messageOf(error) });
  });
}
