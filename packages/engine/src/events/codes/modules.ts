import { defineCodes } from './define.ts';

export const modulesCodes = defineCodes({
  'modules.not-found': {
    kind: 'error',
    doc: 'A module file, or a file that it imports, does not exist.',
    remedy: 'Correct the path: it is relative to the file that names it.',
  },
  'modules.unreadable': {
    kind: 'error',
    doc: 'A module file is a folder, a pipe, a device, too large, too deeply nested, not text, or may not be read.',
    remedy: 'Name a readable text file that ends in .ts, .tsx, .mts, .cts, .js, .jsx, .mjs or .cjs.',
  },
  'modules.does-not-compile': {
    kind: 'error',
    doc: 'A module file is not valid TypeScript or JavaScript.',
    remedy: 'Correct the line.',
  },
  'modules.threw': {
    kind: 'error',
    doc: 'A module threw while it was loaded, at its top level.',
    remedy: 'Correct the line, or move the work into the hook.',
  },
  'modules.no-hook': {
    kind: 'error',
    doc: 'A module exports nothing that can be used.',
    remedy: 'Export the hook from the file.',
  },
  'modules.missing-export': {
    kind: 'error',
    doc: 'A module imports a name that the imported package does not export.',
    remedy: 'Correct the name. A type is imported with `import type` and passed on with `export type`.',
  },
  'modules.missing-package': {
    kind: 'error',
    doc: 'A module imports a package that is not installed where the module can see it.',
    remedy: 'Install it in the folder of the module, or remove the import.',
  },
  'modules.load-timeout': {
    kind: 'error',
    doc: 'A module with a top-level await did not finish loading in time.',
    remedy: 'Move the waiting from the top level into the hook.',
  },
  'modules.busy-loop': {
    kind: 'error',
    doc: 'A loop or a recursion in a module held the thread for longer than its budget and was stopped. Failure class: budget.',
    remedy: 'Bound it, await real work in it, or raise the budget.',
  },
  'modules.hook-threw': {
    kind: 'error',
    doc: 'A hook in a worker of its own threw. Failure class: throw.',
    remedy: 'Correct the line.',
  },
  'modules.not-cloneable': {
    kind: 'error',
    doc: 'Something that cannot leave or enter a worker, such as a function, was passed between a hook and its host. Failure class: shape.',
    remedy: 'Pass plain data.',
  },
  'modules.worker-stopped': {
    kind: 'error',
    doc: 'A hook in a worker of its own overran its budget. Where it held the thread, the worker was ended. Failure class: budget.',
    remedy: 'Do less, await what takes long, or raise the budget of the hook.',
  },
  'modules.worker-ended': {
    kind: 'error',
    doc: 'The worker of a module ended while a hook of it was running. Failure class: crash.',
    remedy: 'It is started again for the next call. Look at its output for the cause.',
  },
  'modules.worker-set-aside': {
    kind: 'error',
    doc: 'The worker of a module ended several times and is not started again for a while. Failure class: crash.',
    remedy: 'Look at its output for the cause.',
  },
  'modules.worker-changed': {
    kind: 'error',
    doc: 'A module registered other hooks when its worker was started again. Failure class: start.',
    remedy: 'Load the configuration again.',
  },
  'modules.cache-refused': {
    kind: 'trace',
    doc: 'The cache of compiled modules is not used, because others own it or may write to it, or it cannot be written.',
    remedy: 'Give the cache folder to the user who runs this, with mode 0700.',
  },
  'modules.cache-damaged': {
    kind: 'trace',
    doc: 'A file in the cache of compiled modules does not match its own digest. It was not used, and was built again.',
    remedy: '',
  },
  'modules.tampered': {
    kind: 'trace',
    doc: 'A built-in object of the process was changed while a module was loaded.',
    remedy: 'Keep such changes out of a hook: every other hook sees them.',
  },
});
