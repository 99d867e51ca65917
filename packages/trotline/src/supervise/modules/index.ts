/** Loads TypeScript and JavaScript files of a person's own, as `hooks.builtins.<name>.module` names them. */
export { loadModule } from './load.ts';
export type { GuardOptions, LoadedModule, LoadOptions, ModuleExports, ModuleInput, ModuleNote } from './types.ts';
export { startModuleWorker } from './worker/start.ts';
export type { CallOptions, ModuleWorker, ModuleWorkerOptions, NextLike } from './worker/types.ts';
