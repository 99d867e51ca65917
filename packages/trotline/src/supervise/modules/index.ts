/** Loads TypeScript and JavaScript files of a person's own, as `hooks.builtins.<name>.module` names them. */
export { loadModule } from './load.ts';
export type { GuardOptions, LoadedModule, LoadOptions, ModuleExports, ModuleInput, ModuleNote } from './types.ts';
