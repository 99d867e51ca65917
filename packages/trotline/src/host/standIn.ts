import { readFileSync } from 'node:fs';
import { type Engine, events, HookFailure, type OwnerRegistrar, type OwnerSpec } from '@trotline/engine';
import type { MergedHook } from '../config/index.ts';

const pointEvents: Readonly<Record<string, string>> = {
  before_llm: 'llm.request',
  after_llm: 'llm.request',
  before_tool: 'tool.call',
  after_tool: 'tool.call',
  approve_tool: 'tool.check',
};

/** Stands on all that a closed hook guards which cannot start, and refuses it until the hook is back. */
export function standIn(engine: Engine, hook: MergedHook, spec: OwnerSpec, problem: string): OwnerRegistrar {
  const owner = engine.owner({ ...spec, isDown: () => true });
  const fail = (): never => {
    throw new HookFailure('start', problem);
  };
  for (const event of dutiesOf(hook)) {
    owner.on(event, fail, {
      name: hook.name,
      priority: hook.priority,
      onFailure: 'closed',
      refusalText: () => `${hook.name} is down, and what it guards is denied: ${problem}`,
    });
  }
  return owner;
}

/**
 * What a hook guards. A process says so in the configuration. A module that never ran has said nothing yet: its source is searched for the
 * events it names; where it names none, or cannot be read, it counts as a guard of tool calls.
 */
function dutiesOf(hook: MergedHook): readonly string[] {
  if (hook.kind === 'process') {
    return [...new Set(hook.intercept.map((point) => pointEvents[point]).filter((event) => event !== undefined))];
  }
  const named = [...sourceOf(hook.module).matchAll(/\bon\(\s*(['"`])([\w.]+)\1/g)].map((match) => match[2] as string);
  const guarded = [...new Set(named)].filter(
    (name) => Object.hasOwn(events, name) && !events[name as keyof typeof events].observe,
  );
  return guarded.length > 0 ? guarded : ['tool.call'];
}

function sourceOf(module: string | undefined): string {
  try {
    return module === undefined ? '' : readFileSync(module, 'utf8');
  } catch {
    return '';
  }
}
