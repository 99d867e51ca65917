import { defineCodes } from './define.ts';

export const picoclawCodes = defineCodes({
  'picoclaw.unsupported-event': {
    kind: 'error',
    doc: 'A process hook lists an event in `observe` that does not exist.',
    remedy: 'Use a runtime kind such as agent.tool.exec_start, an older alias such as tool_exec_start, or "*".',
  },
  'picoclaw.unsupported-point': {
    kind: 'error',
    doc: 'A process hook lists a point in `intercept` that does not exist.',
    remedy: 'Use before_llm, after_llm, before_tool, after_tool or approve_tool.',
  },
  'picoclaw.no-modes': {
    kind: 'error',
    doc: 'A process hook neither observes nor intercepts anything.',
    remedy: 'List what it is for in `observe` or `intercept`, or set `enabled` to false.',
  },
  'picoclaw.misfit': {
    kind: 'error',
    doc: 'A process hook answered with something that does not fit the protocol: a word that says neither yes nor no, an action that its stage does not have, a field of the wrong type.',
    remedy: 'Answer {"action": "continue"}, or what docs/process-hooks.md names for the stage.',
  },
  'picoclaw.read-as': {
    kind: 'trace',
    doc: 'A process hook answered with a word that the protocol does not have; it was read by its meaning.',
    remedy: 'The words are continue, modify, respond, deny_tool, abort_turn and hard_abort.',
  },
  'picoclaw.no-verdict': {
    kind: 'trace',
    doc: 'An approver answered without a verdict, which counts as a no.',
    remedy: 'Answer {"approved": true} or {"allow": true}.',
  },
  'picoclaw.unsupported': {
    kind: 'trace',
    doc: 'A process hook asked for an effect that this host does not have.',
    remedy: '',
  },
});
