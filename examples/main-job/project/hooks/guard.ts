import type { Registrar } from '@trotline/engine';

// A demonstration, no filter to rely on: commands can be written in endless ways. What must not happen is better said
// as a rule of `policy`, or made impossible by a sandbox.
const deletesFolders = /\brm\s+(-\w+\s+)*-\w*r/i;

/** Refuses commands that delete folders, and says so to the model. */
export const register = (on: Registrar['on']): void => {
  on(
    'tool.call',
    { tool: 'Bash' },
    (_$, e, next) =>
      deletesFolders.test(String(e['command'])) ? { deny: 'folders are not deleted here; move them instead' } : next(e),
    { onFailure: 'closed' },
  );
};
