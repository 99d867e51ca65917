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
    doc: 'A process hook answered with something that does not fit the protocol.',
    remedy: 'Answer with the fields that the protocol names, each of its type.',
  },
  'picoclaw.action-ignored': {
    kind: 'trace',
    doc: 'A process hook answered with an action that has no effect at this stage; the chain went on without it.',
    remedy: 'respond and deny_tool belong to before_tool; redact, allow and block do not exist.',
  },
  'picoclaw.respond-without-result': {
    kind: 'trace',
    doc: 'A process hook answered respond without a result; the call went on to the tool.',
    remedy: 'Send the result in "result" or "hook_result".',
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
