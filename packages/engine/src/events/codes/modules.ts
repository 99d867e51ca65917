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
