import { defineCodes } from './define.ts';

/** What can be said about trust in a project's configuration. */
export const trustCodes = defineCodes({
  'trust.untrusted': {
    kind: 'trace',
    doc: "A project's configuration was never trusted. Nothing of it applies.",
    remedy: 'Read it, then run: trotline trust',
  },
  'trust.changed': {
    kind: 'trace',
    doc: "A project's configuration or a file it names changed since it was trusted. Nothing of it applies.",
    remedy: 'Read what changed, then run: trotline trust',
  },
  'trust.store-damaged': {
    kind: 'error',
    doc: 'The list of trusted projects cannot be read. No project is trusted, and the file is left as it is.',
    remedy: 'Repair the file, or move it away and trust your projects again.',
  },
  'trust.store-unwritable': {
    kind: 'error',
    doc: 'The list of trusted projects cannot be written.',
    remedy: 'Check the permissions of the state folder.',
  },
  'trust.nothing-to-trust': {
    kind: 'error',
    doc: 'There is no project configuration to trust.',
    remedy: 'Name the trotline.json, or run the command inside the project.',
  },
  'trust.too-many-inputs': {
    kind: 'error',
    doc: 'A project names more files, or larger ones, than can be covered by one trust. It cannot be trusted.',
    remedy: 'Bundle the modules into fewer files.',
  },
});
