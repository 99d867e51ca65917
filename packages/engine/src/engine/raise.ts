import { TrotlineError } from '../events/errors.ts';
import type { BottomCall, EventRules } from '../kernel/index.ts';
import { asInvocation, type Core, drained, eventOf, hostOrigin } from './core.ts';
import { anySignal } from './platform.ts';
import type { Engine } from './types.ts';

type Data = Readonly<Record<string, unknown>>;
interface Options {
  readonly bottom?: (e: unknown, signal: AbortSignal) => unknown;
}

/** Events with a pipeline of their own. */
const piped = new Set(['tool.call', 'llm.request', 'turn.step']);

/** Raises an event of the host's. `ended` is told when a session ended. */
export function createRaise(core: Core, ended: () => void): Engine['raise'] {
  const raise = async (name: string, e: Data, options: Parameters<Engine['raise']>[2] = {}): Promise<unknown> => {
    if (piped.has(name)) throw new TrotlineError('engine.no-raise', { what: `"${name}" was raised` });
    const rules = eventOf(name, core.served);
    const running = core.activity.begin(options.signal);
    const over = new AbortController();
    try {
      const result = core.dispatch(name === 'session.append' && e['door'] !== 'note' ? undeniable(rules) : rules, {
        e: rules.world === 'classic' && name !== 'classic.PreToolUse' ? { ...core.envelope(name), ...e } : e,
        origin: options.origin ?? hostOrigin,
        cause: asInvocation(options.cause),
        signal: rules.sharedMs === undefined ? running.signal : anySignal(running.signal, over.signal),
        owned: options.owned,
        dryRun: options.dryRun,
        bottom: (final: unknown, call: BottomCall) => {
          const { bottom } = options as Options;
          if (bottom !== undefined) return bottom(final, call.signal);
          if (rules.neutral !== undefined) return rules.neutral(final);
          throw new TrotlineError('engine.no-bottom', { what: `"${name}" was raised without a behaviour of the host` });
        },
      });
      if (rules.stream) return await drained(result as AsyncGenerator<unknown, unknown, undefined>);
      return rules.sharedMs === undefined
        ? await result
        : await shared(result, rules.sharedMs, () => rules.neutral?.(e)).finally(() => over.abort());
    } finally {
      running.end();
      if (name === 'session.end') ended();
    }
  };
  return raise as Engine['raise'];
}

/** A row that the conversation cannot do without: a hook that denies it has failed, and one that failed cannot block it. */
function undeniable(rules: EventRules): EventRules {
  const { refusal: _, ...own } = rules;
  return {
    ...own,
    reconcile: (result, beneath, owner) =>
      'deny' in (result as object)
        ? { value: result, misfit: 'a deny at a door other than note' }
        : (rules.reconcile?.(result, beneath, owner) ?? { value: result }),
  };
}

/** All hooks of the event together have this long; then the host goes on without them, and they are aborted. */
async function shared(result: unknown, ms: number, neutral: () => unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(neutral()), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
