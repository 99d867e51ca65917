import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Next } from '@trotline/engine';
import type { BuiltinHook } from '../config/index.ts';
import { type ModuleWorker, startModuleWorker } from '../supervise/modules/index.ts';
import type { ModuleContext } from './moduleContext.ts';
import type { Register } from './stage.ts';

type Method = (...args: readonly unknown[]) => unknown;

/** A module in a worker thread of its own, and a `register` that seats a stand-in for each hook it registered. */
export async function workerRegister(
  hook: BuiltinHook & { readonly module: string },
  config: Readonly<Record<string, unknown>>,
  context: ModuleContext,
): Promise<{ readonly worker: ModuleWorker; readonly register: Register }> {
  const engine = pathToFileURL(createRequire(import.meta.url).resolve('@trotline/engine')).href;
  const worker = await startModuleWorker(hook.module, {
    config,
    cacheDir: context.cacheDir,
    virtual: { '@trotline/engine': engine, trotline: engine },
    beforeRun: (inputs) => context.beforeRun(hook, inputs),
    onOutput: (text) => context.print(hook.name, text),
    onEnded: (error) => context.print(hook.name, error.message),
  });
  const standIn =
    (index: number, part: 'hook' | 'handler') =>
    ($: Readonly<Record<string, Readonly<Record<string, Method>>>>, e: unknown, next: Next) =>
      worker.call(index, next.event, e, {
        part,
        next: next as never,
        op: ([noun = '', method = ''], args) => $[noun]?.[method]?.(...args),
        metered: (path) => path.join('.') === 'clock.sleep',
        signal: next.signal,
        budgetMs: next.budget.ms || Number.MAX_SAFE_INTEGER,
      });
  const register: Register = (on) => {
    worker.hooks.forEach(({ pattern, matcher, options, handler }, index) => {
      const args = [pattern, ...(matcher === undefined ? [] : [matcher]), standIn(index, 'hook'), options ?? {}];
      const registration = (on as Method)(...args) as ReturnType<typeof on>;
      if (handler) registration.catch(standIn(index, 'handler'));
    });
  };
  return { worker, register };
}
