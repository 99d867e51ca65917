import { defineCodes } from './define.ts';

export const hostCodes = defineCodes({
  'host.unknown-builtin': {
    kind: 'error',
    doc: 'A builtin has no module, and no program registered one of its name.',
    remedy: 'Name a module: "module": "./guard.ts". Or register the builtin with openLine({ builtins }).',
  },
  'host.configuration': {
    kind: 'error',
    doc: 'The configuration has errors, so the line was not opened.',
    remedy: 'Correct them; `trotline check` lists all of them.',
  },
  'host.closed-hook-down': {
    kind: 'error',
    doc: 'A hook that must block when it fails could not start, or a hook could not be put on the line.',
    remedy: 'Mend the hook, or start with --keep-going: what it guards is then denied.',
  },
  'host.hook-down': {
    kind: 'trace',
    doc: 'A hook that may be skipped could not start. The line runs without it.',
    remedy: 'Mend the hook; `trotline check` shows what is wrong.',
  },
  'host.untrusted': {
    kind: 'trace',
    doc: "A project's configuration is not trusted as it is now. Nothing of it applies.",
    remedy: 'Read the file, then run `trotline trust`; or pass --trust for this run.',
  },
  'host.trust-changed': {
    kind: 'error',
    doc: 'A project that was trusted has changed since, so its guards are not what was agreed to. The line is not opened without them.',
    remedy: 'Read what changed, then run `trotline trust`; or pass --trust for this run.',
  },
  'host.module-changed': {
    kind: 'error',
    doc: 'A module brings in a file that the trust of its project does not cover.',
    remedy: 'Read the file, then run `trotline trust` again.',
  },
  'host.no-hooks-refused': {
    kind: 'error',
    doc: 'Hooks cannot be switched off here: a managed configuration is in force.',
    remedy: 'Ask whoever manages this machine.',
  },
  'host.not-run': {
    kind: 'trace',
    doc: 'An entry of `extensions`, `mods` or `settings`: this version has no dialect for it yet.',
    remedy: 'Guard with hooks.builtins or hooks.processes, or set "enabled": false to silence this.',
  },
  'host.reload-failed': {
    kind: 'trace',
    doc: 'The configuration changed and has errors. The hooks that stood before still stand.',
    remedy: 'Correct the errors; the next save is read again.',
  },
});
