import { defineCodes } from './define.ts';

/** Errors and trace entries of the engine and its two pipelines. */
export const engineCodes = defineCodes({
  'engine.closed': {
    kind: 'error',
    doc: 'The engine was closed and takes nothing more.',
    remedy: 'Create a new engine, or close this one later.',
  },
  'engine.no-event': {
    kind: 'error',
    doc: 'There is no event of that name.',
    remedy: 'See docs/reference/events.md for the names; a pattern ends in ".*".',
  },
  'engine.no-notice': {
    kind: 'error',
    doc: 'There is no notice of that name.',
    remedy: 'See docs/reference/notices.md for the names.',
  },
  'engine.no-raise': {
    kind: 'error',
    doc: 'An event was raised past its pipeline.',
    remedy: 'Run tools with engine.tool() and ask models with engine.model(), so that no step is left out.',
  },
  'engine.no-bottom': {
    kind: 'error',
    doc: 'An event that needs a behaviour of the host was raised without one, and no hook answered it.',
    remedy: 'Pass { bottom } to raise().',
  },
  'engine.no-op': {
    kind: 'error',
    doc: 'A hook called an op that this host cannot serve.',
    remedy: 'Run the hook under a host that serves it, or catch the rejection.',
  },
  'engine.no-tool': {
    kind: 'error',
    doc: 'A hook called a tool that this host does not have.',
    remedy: 'Call one that $.tool.list() names.',
  },
  'engine.op-denied': {
    kind: 'error',
    doc: 'A hook denied the op that another called.',
    remedy: '',
  },
  'engine.op-arguments': {
    kind: 'error',
    doc: 'An op was called with arguments that do not fit.',
    remedy: 'See docs/reference/ops.md for its arguments.',
  },
  'engine.dry-run': {
    kind: 'error',
    doc: 'A hook that was only tried out called an op that changes something.',
    remedy: 'Ask next.dryRun before you change anything.',
  },
  'engine.state-owner': {
    kind: 'error',
    doc: 'A value of $.state was set by somebody else than its owner.',
    remedy: 'Only its owner writes it; everybody may read it.',
  },
  'engine.input': {
    kind: 'error',
    doc: 'The final arguments of a tool do not fit its schema. The tool did not run.',
    remedy: 'Call the tool again with arguments that fit.',
  },
  'engine.not-recorded': {
    kind: 'error',
    doc: 'The decision about a call could not be recorded. The tool did not run.',
    remedy: 'Mend what keeps the records from being written, such as a full disk, and call again.',
  },
  'engine.gate-failed': {
    kind: 'error',
    doc: 'The rules could not be asked about a call. The tool did not run.',
    remedy: 'Mend the rule, or the function that judges the call.',
  },
  'engine.unasked': {
    kind: 'error',
    doc: 'A person would have to allow a call and none can be asked.',
    remedy: 'Allow it by a rule, or run where somebody can be asked.',
  },
  'engine.interrupted': {
    kind: 'error',
    doc: 'The person interrupted before the call had ended.',
    remedy: '',
  },
  'engine.loosened': {
    kind: 'trace',
    doc: 'A hook loosened the verdict of a rule, of the managed layer or of a hook that had to block. It was put back.',
    remedy: 'Only a managed option, or a hook of tier prepend, may do that.',
  },
  'engine.invented-error': {
    kind: 'trace',
    doc: 'A hook called its own result of a tool an error. The mark was taken off.',
    remedy: 'Refuse with { deny }.',
  },
  'engine.context-kept': {
    kind: 'trace',
    doc: 'A hook left out context that came from beneath. It was put back.',
    remedy: 'Add to result.context, take nothing from it.',
  },
  'engine.row-kept': {
    kind: 'trace',
    doc: 'A hook changed parts of a row that are not its to change. They were put back.',
    remedy: 'Change text and tool results only.',
  },
  'engine.no-spelling': {
    kind: 'trace',
    doc: 'A world has no spelling for a call. It was shown under its canonical name.',
    remedy: '',
  },
});
