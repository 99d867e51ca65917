import type { CheckedCall, Gate, Verdict } from '@trotline/engine';
import {
  type Asker,
  compileRules,
  type PolicyRule,
  parseAllow,
  permissionDefault,
  type Question,
  type Rules,
  sameCall,
  serialAsker,
  sessionMemory,
  unaskedText,
} from '../approvals/index.ts';
import type { MergedConfig } from '../config/index.ts';
import type { Records } from '../records/index.ts';
import type { LineAsker } from './types.ts';

export interface GateContext {
  readonly cwd: string;
  /** What the files say now; a reload changes it. */
  readonly config: () => MergedConfig;
  readonly records: Records;
  readonly allow: readonly string[];
  readonly asker: LineAsker | undefined;
}

/** The rules of the files, the permission default, and a person to ask, as the engine's gate. */
export function createLineGate({ cwd, config, records, allow, asker }: GateContext): Gate {
  const flags = allow.map(parseAllow);
  const managed = compiled(cwd, (merged) => merged.rules.filter((rule) => rule.layer === 'managed'));
  // A managed allow takes part here again: together with the others it may cover all parts of one command line.
  const rules = compiled(cwd, (merged) => [...merged.rules, ...flags]);
  const gate: Gate = {
    managed: (call) => {
      const verdict = managed(config())(call);
      return verdict?.decision === 'allow' ? undefined : verdict;
    },
    rules: (call) => {
      const verdict = rules(config())(call);
      // A project may not grant what the person was to be asked about.
      if (verdict?.decision === 'allow' && verdict.layer === 'project') return undefined;
      return verdict;
    },
    fallback: (call) => permissionDefault(call),
    unasked: unaskedText,
  };
  if (asker === undefined) return gate;
  const memory = sessionMemory({ cwd });
  const queue = serialAsker(toAsker(asker));
  return {
    ...gate,
    ask: async (call, verdict, signal) => {
      const question = questionOf(call, verdict, records, config().approvals.expireMs);
      const answer = memory.recall(question) ?? (await queue.ask(question, signal));
      if (answer.decision === 'allow' && !sameCall(question.digest, call, records.digest)) {
        return person('deny', 'the call is not the one that was approved');
      }
      memory.keep(question, answer);
      return person(answer.decision, answer.reason ?? (answer.decision === 'deny' ? 'the person said no' : undefined));
    },
  };
}

/** Compiles the rules of a configuration once, and again when it was reloaded. */
function compiled(cwd: string, pick: (merged: MergedConfig) => readonly PolicyRule[]): (merged: MergedConfig) => Rules {
  let of: MergedConfig | undefined;
  let rules: Rules | undefined;
  return (merged) => {
    if (of !== merged || rules === undefined) {
      rules = compileRules(pick(merged), { cwd });
      of = merged;
    }
    return rules;
  };
}

function questionOf(call: CheckedCall, verdict: Verdict, records: Records, expireMs: number): Question {
  const { rule, name, place } = verdict.source;
  return {
    who: rule === undefined ? name : `the rule "${rule}"${place === undefined ? '' : ` (${place})`}`,
    why: verdict.reason ?? '',
    tool: call.tool,
    input: call.input,
    digest: records.digest({ tool: call.tool, input: call.input }),
    expiresAt: Date.now() + expireMs,
    ...(call.sessionId === undefined ? {} : { session: call.sessionId }),
    ...(call.agentId === undefined ? {} : { agentId: call.agentId }),
  };
}

const toAsker = (asker: LineAsker): Asker => ({
  ask: (question, signal) => {
    const { who, why, tool, input, digest, agentId } = question;
    return asker.ask(
      { by: who, reason: why, tool, input, digest, ...(agentId === undefined ? {} : { agentId }) },
      signal,
    );
  },
});

const person = (decision: 'allow' | 'deny', reason: string | undefined): Verdict => ({
  decision,
  ...(reason === undefined ? {} : { reason }),
  source: { kind: 'person', name: 'the person' },
});
