import { randomUUID } from 'node:crypto';
import type { Recorder } from '@trotline/engine';
import type { Records } from './types.ts';

/**
 * The engine's recorder over the records. An allow carries the word "started" in its transaction, because the engine runs the tool as
 * soon as it is durable. An engine counts its calls from one, so every call gets an id of its own in the log.
 */
export function createRecorder({ decisions }: Records): Recorder {
  const ids = new Map<string, string>();
  return {
    decided: (row) => {
      const id = randomUUID();
      const runs = row.decision !== 'deny';
      if (runs) ids.set(row.id, id);
      return decisions.decided({ ...row, id }, { started: row.decision === 'allow' });
    },
    settled: (callId, outcome) => {
      const id = ids.get(callId);
      if (id === undefined) return;
      ids.delete(callId);
      return decisions.settled(id, outcome);
    },
  };
}
