import { TrotlineError } from '@trotline/engine';
import type { BuiltinHook, LoadedConfig } from '../config/index.ts';
import type { ModuleInput } from '../supervise/modules/index.ts';

/** A project's module runs only when every file that went into it is covered by the project's trust, as it was then. */
export function checkTrust(loaded: LoadedConfig, hook: BuiltinHook, inputs: readonly ModuleInput[]): void {
  const layer = loaded.layers.find((l) => l.name === hook.layer);
  if (hook.layer !== 'project' || layer === undefined) return;
  for (const { path, sha256 } of inputs) {
    if (layer.inputs[path] === sha256) continue;
    throw new TrotlineError('host.module-changed', {
      what: `"${hook.name}" brings in ${path}, which ${layer.inputs[path] === undefined ? 'was not part of what was trusted' : 'is not as it was trusted'}`,
      ...hook.place,
    });
  }
}
