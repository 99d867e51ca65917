import { type CallableName, callable, ops } from '../../events/catalogue.ts';
import type { OpDef } from '../../events/ops/define.ts';
import type { Invocation } from '../../kernel/index.ts';
import type { Core } from '../core.ts';
import { withResult } from '../stream.ts';
import type { Dollar } from '../types.ts';
import { type Caller, callerOf, callOp, callSilently, raiseOp, unwrap } from './call.ts';
import { askPerson, callEvent } from './raised.ts';
import type { Timers } from './timers.ts';

type Method = (caller: Caller, args: readonly unknown[]) => unknown;
type Nouns = ReadonlyMap<string, ReadonlyMap<string, Method>>;
type RunTool = Parameters<typeof callEvent>[1];

interface Held {
  readonly invocation: Invocation;
  nouns: Map<string, unknown> | undefined;
}

const known = ops as unknown as Readonly<Record<string, OpDef>>;

/** Makes the `$` of each invocation. Nothing is built before it is read: most hooks never use it. */
export function createDollar(
  core: () => Core,
  runTool: RunTool,
  timers: Timers,
  rootOf: (owner: string) => string,
): (invocation: Invocation) => Dollar {
  const held = new WeakMap<object, Held>();
  let version = -1;
  let prototype: object = {};

  const current = (): object => {
    const { served } = core();
    if (version !== served.version) {
      version = served.version;
      prototype = prototypeOf(methodsOf(core, runTool, timers));
    }
    return prototype;
  };

  const nounOf = ($: object, noun: string, methods: ReadonlyMap<string, Method>): unknown => {
    const mine = held.get($);
    if (mine === undefined) return undefined;
    mine.nouns ??= new Map();
    let made = mine.nouns.get(noun);
    if (made === undefined) {
      const caller = callerOf(mine.invocation);
      const entries = [...methods].map(([name, method]) => [name, (...args: unknown[]) => method(caller, args)]);
      made = Object.freeze(Object.fromEntries(entries));
      mine.nouns.set(noun, made);
    }
    return made;
  };

  const prototypeOf = (nouns: Nouns): object => {
    const made = Object.create(null) as object;
    for (const [noun, methods] of nouns) {
      Object.defineProperty(made, noun, {
        enumerable: true,
        get(this: object) {
          return nounOf(this, noun, methods);
        },
      });
    }
    Object.defineProperty(made, 'plugin', {
      enumerable: true,
      get(this: object) {
        const name = held.get(this)?.invocation.link.owner.name ?? '';
        return Object.freeze({ name, root: rootOf(name) });
      },
    });
    return Object.freeze(made);
  };

  return (invocation) => {
    const $ = Object.freeze(Object.create(current()) as object);
    held.set($, { invocation, nouns: undefined });
    return $ as Dollar;
  };
}

function methodsOf(core: () => Core, runTool: RunTool, timers: Timers): Nouns {
  const nouns = new Map<string, Map<string, Method>>();
  const add = (name: string, method: Method): void => {
    const at = name.indexOf('.');
    const noun = name.slice(0, at);
    const methods = nouns.get(noun) ?? new Map<string, Method>();
    nouns.set(noun, methods.set(name.slice(at + 1), method));
  };
  const { served } = core();
  for (const op of Object.values(known)) add(op.name, methodOf(core, op, timers));
  for (const name of served.addedNames()) add(name, methodOf(core, served.added(name) as OpDef, timers));
  for (const name of callable) {
    add(name, (caller, [first]) => callEvent(core(), runTool, caller, name as CallableName, first as never));
  }
  add('ui.ask', (caller, [question, labels]) =>
    askPerson((first) => callEvent(core(), runTool, caller, 'tool.call', first), question, labels),
  );
  return nouns;
}

function methodOf(core: () => Core, op: OpDef, timers: Timers): Method {
  if (op.name === 'clock.after' || op.name === 'clock.every') {
    return (caller, [ms, call]) => timers.start(caller, op, ms, call);
  }
  if (op.stream) return (caller, args) => streamed(core(), caller, op, args);
  if (op.silent) return (caller, args) => callSilently(core(), caller, op, args);
  return (caller, args) => callOp(core(), caller, op, args);
}

/** A stream op: its chunks, and the value it ends with by `return` and as `.result`. */
function streamed(core: Core, caller: Caller, op: OpDef, args: readonly unknown[]): unknown {
  const { invocation, origin } = caller;
  return withResult(async function* () {
    const stream = raiseOp(core, caller, op, args) as AsyncGenerator<unknown, unknown, undefined>;
    let ended = false;
    try {
      for (;;) {
        // The hook's clock stands while it waits for a chunk, and runs while it works on one.
        invocation.pause();
        const step = await stream.next().finally(() => invocation.resume());
        if (step.done === true) {
          ended = true;
          return unwrap(origin.plugin, op.name, step.value);
        }
        yield step.value;
      }
    } finally {
      if (!ended) await stream.return(undefined);
    }
  });
}
