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
    decided: async (row) => {
      const id = randomUUID();
      if (row.decision !== 'allow') return decisions.decided({ ...row, id });
      await decisions.decided({ ...row, id }, { started: true });
      ids.set(row.id, id);
    },
    settled: (callId, outcome) => {
      const id = ids.get(callId);
      if (id === undefined) return;
      ids.delete(callId);
      return decisions.settled(id, outcome);
    },
  };
}
