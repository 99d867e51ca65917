import { TrotlineError } from '@trotline/engine';
import { type ConfigLayer, loadConfig, type ModelConfig, type TrustState } from '../../config/index.ts';
import { loadModule } from '../../supervise/modules/index.ts';
import type { Io } from '../terminal/io.ts';

/** A project's configuration as it is now, and what it would bring if it were trusted. */
export interface Project {
  /** As it would apply: trusting exactly this is trusting what was shown. */
  readonly layer: ConfigLayer;
  readonly state: TrustState;
  /** Files that are not as they were trusted. */
  readonly changed: readonly string[];
  /** The model that would be used, where the project names it. */
  readonly model?: ModelConfig;
  /** What would be added to the model's instructions. */
  readonly system: readonly string[];
}

/** The project of a folder; undefined where there is none. Starts nothing of it. */
export async function projectOf(env: Io['env'], cwd: string): Promise<Project | undefined> {
  const now = await loadConfig({ cwd, env });
  const current = now.layers.find(({ name }) => name === 'project');
  if (current === undefined) return undefined;
  const would = await loadConfig({ cwd, env, trustOnce: true });
  const layer = would.layers.find(({ name }) => name === 'project') ?? current;
  const { model, agent } = would.merged;
  return {
    layer,
    state: current.trust,
    changed: current.changed,
    // Stronger layers speak first, and a project is the weakest.
    system: current.applied ? [] : agent.system.slice(now.merged.agent.system.length),
    ...(model?.layer === 'project' ? { model } : {}),
  };
}

/** Modules that cannot be compiled, each with why. None of their code runs. */
export async function brokenModules(layer: ConfigLayer): Promise<TrotlineError[]> {
  const compiled = Symbol('compiled');
  const modules = layer.hooks.flatMap((hook) =>
    hook.kind === 'builtin' && hook.enabled && hook.module !== undefined ? [hook.module] : [],
  );
  const found = await Promise.all(
    modules.map(async (module) => {
      try {
        await loadModule(module, {
          beforeRun: () => {
            throw compiled;
          },
        });
      } catch (error) {
        return error instanceof TrotlineError ? [error] : [];
      }
      return [];
    }),
  );
  return found.flat();
}
