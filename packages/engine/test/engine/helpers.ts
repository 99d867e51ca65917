import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DecisionRow, EngineOptions, Observed, OutcomeRow, Recorder, Verdict } from '../../src/index.ts';

/** A file that a tool makes: whether it ran is whether the file is there. */
export interface Made {
  readonly run: () => string;
  readonly ran: boolean;
  readonly path: string;
}

/** A tool whose run leaves a file behind. Call it inside a test: it cleans up after it. */
export function madeFile(text = 'ran'): Made {
  const dir = mkdtempSync(join(tmpdir(), 'trotline-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'made');
  return {
    path,
    run: () => {
      writeFileSync(path, '');
      return text;
    },
    get ran() {
      return existsSync(path);
    },
  };
}

/** A recorder that keeps its rows. */
export function rows(): Recorder & {
  readonly decided_: DecisionRow[];
  readonly settled_: (OutcomeRow & { id: string })[];
} {
  const decided_: DecisionRow[] = [];
  const settled_: (OutcomeRow & { id: string })[] = [];
  return {
    decided_,
    settled_,
    decided: (row) => void decided_.push(row),
    settled: (id, row) => void settled_.push({ ...row, id }),
  };
}

const verdict =
  (kind: Verdict['source']['kind'], decision: Verdict['decision']) =>
  (reason = `${decision} by ${kind}`): Verdict => ({ decision, reason, source: { kind, name: kind } });

export const ruleDeny = verdict('rule', 'deny');
export const ruleAsk = verdict('rule', 'ask');
export const ruleAllow = verdict('rule', 'allow');
export const managedDeny = verdict('managed', 'deny');
export const defaultAsk = verdict('default', 'ask');
export const personAllow = verdict('person', 'allow');
export const personDeny = verdict('person', 'deny');

/** Options whose rules always say this. */
export const withRule = (said: Verdict): EngineOptions => ({ gate: { rules: () => said } });

/** What an observer saw, by kind. */
export const noticesOf = (seen: readonly Observed[]): string[] =>
  seen.flatMap((one) => (one.kind === 'notice' ? [one.notice.name] : []));

export const codesOf = (seen: readonly Observed[], event: string): string[] =>
  seen.flatMap((one) =>
    one.kind === 'dispatch' && one.event === event
      ? one.trace.flatMap((entry) => [
          ...(entry.code === undefined ? [] : [entry.code]),
          ...(entry.notes ?? []).map((n) => n.code),
        ])
      : [],
  );

/** Lets the observers' queues run. */
export const told = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
