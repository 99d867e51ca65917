import { defineCodes } from './define.ts';

/** What the chain refuses, and what it does to a hook that must not be silent. */
export const kernelCodes = defineCodes({
  // Refused at registration.
  'kernel.pattern': {
    kind: 'error',
    doc: 'What a hook was registered on is no event pattern.',
    remedy: 'Write an event name, ns.*, *, !name or !ns.*.',
  },
  'kernel.matcher': {
    kind: 'error',
    doc: 'A matcher holds what cannot be compared: a function, an absent value, a RegExp with the flag g or y, a depth over 8.',
    remedy: 'Write plain values, lists of alternatives, objects, or a RegExp without g and y.',
  },
  'kernel.hook': {
    kind: 'error',
    doc: 'A hook, or its .catch handler, is no function.',
    remedy: 'Register a function ($, e, next).',
  },
  'kernel.policy': {
    kind: 'error',
    doc: 'A hook on an event that is only observed was to fail closed or ask.',
    remedy: 'Leave onFailure out, or stand on an event that has a refusal.',
  },
  'kernel.cycle': {
    kind: 'error',
    doc: 'Owners depend on each other in a circle, so no order of them is right.',
    remedy: 'Remove one of the dependencies that the message lists.',
  },
  'kernel.catch-twice': {
    kind: 'error',
    doc: 'A second .catch was set on one registration.',
    remedy: 'Put both into one handler.',
  },
  // What a next call rejects with.
  'kernel.no-argument': {
    kind: 'error',
    doc: 'A hook called next() without an argument.',
    remedy: 'Call next(e), or next({ ...e, field }) to rewrite.',
  },
  'kernel.pinned': {
    kind: 'error',
    doc: 'A hook changed or added a field of the event that it may not change.',
    remedy: 'Pass the field on as it came. A field left out is put back.',
  },
  'kernel.misfit': {
    kind: 'error',
    doc: 'What a hook passed to next() does not fit the event.',
    remedy: 'Pass next({ ...e, field }) with values of the kinds that the event lists.',
  },
  'kernel.not-plain': {
    kind: 'error',
    doc: 'A value is not plain data: a function, symbol, accessor, object of a class, cycle, or too deep or large.',
    remedy: 'Pass strings, numbers, booleans, null, lists, plain objects, bytes or dates.',
  },
  'kernel.to': {
    kind: 'error',
    doc: 'next.to() was called by an owner that may not, or names a tier that it may not.',
    remedy: 'Only owners of prepend (to append, builtin, core) and append (to core) may call it.',
  },
  'kernel.late-next': {
    kind: 'error',
    doc: 'A hook called next() after it was settled: it had answered, failed, or run out of its budget.',
    remedy: 'Call next() before returning, and hand next.signal to whatever the hook waits for.',
  },
  'kernel.abandoned': {
    kind: 'error',
    doc: 'A hook further out settled the dispatch while this one was still running.',
    remedy: 'Nothing: stop when next.signal fires.',
  },
  'kernel.closed': {
    kind: 'error',
    doc: 'A stream was closed before its end.',
    remedy: 'Nothing: whoever read it had enough.',
  },
  // How a hook failed: in its trace entry, in reports, and as the class of its failure.
  'kernel.throw': { kind: 'trace', doc: 'A hook threw or rejected.', remedy: 'See the reason, and mend the hook.' },
  'kernel.shape': {
    kind: 'trace',
    doc: 'A hook returned nothing, or what the event does not accept.',
    remedy: 'Return next(e), or the result that the event lists.',
  },
  'kernel.rewrite': {
    kind: 'trace',
    doc: 'A rewrite was refused, and the hook let the refusal through.',
    remedy: 'See the reason: a pinned field, or an argument that does not fit.',
  },
  'kernel.budget': {
    kind: 'trace',
    doc: 'A hook used up its own time and had not answered.',
    remedy: 'Do less, hand next.signal on, or set a larger budgetMs. Waiting for next() and $ is free.',
  },
  'kernel.crash': { kind: 'trace', doc: 'The process or worker of a hook died.', remedy: 'See the log of the hook.' },
  'kernel.start': {
    kind: 'trace',
    doc: 'The process or worker of a hook could not start.',
    remedy: 'See the reason, and the log of the hook.',
  },
  'kernel.garbage': {
    kind: 'trace',
    doc: 'A process hook answered what its protocol does not know.',
    remedy: 'See the log of the hook.',
  },
  'kernel.late': {
    kind: 'trace',
    doc: 'A hook answered after its budget. Its answer was discarded, or under onFailure closed did not stand.',
    remedy: 'Do less before answering, or set a larger budgetMs.',
  },
  // What else happened to a link.
  'kernel.restored': {
    kind: 'trace',
    doc: 'A hook left out fields that it may not change; they were put back.',
    remedy: 'Pass next({ ...e, field }) so that nothing is left out.',
  },
  'kernel.observed': {
    kind: 'trace',
    doc: 'A hook answered an event that is only observed; what lies beneath stands.',
    remedy: 'Return next(e).',
  },
  'kernel.observe-open': {
    kind: 'trace',
    doc: 'A hook that fails closed stood by a pattern on an event that is only observed, and was skipped.',
    remedy: '',
  },
  'kernel.overrun': {
    kind: 'trace',
    doc: 'A hook that could not be interrupted answered after its budget. Its answer stands.',
    remedy: 'Do less without awaiting, or set onFailure closed if a late answer must not stand.',
  },
  'kernel.asked': { kind: 'trace', doc: 'A hook with onFailure ask failed, and a person is asked.', remedy: '' },
  'kernel.catch-failed': {
    kind: 'trace',
    doc: 'A .catch handler gave no answer that stands; it counts as absent.',
    remedy: 'See the reason, and mend the handler. It has 1 s of its own time.',
  },
  'kernel.control': {
    kind: 'trace',
    doc: 'A hook answered though a hook beneath had aborted; the abort reached the host all the same.',
    remedy: 'Let AbortTurn and HardAbort through.',
  },
  'kernel.interrupted': {
    kind: 'trace',
    doc: 'A hook threw after the dispatch was interrupted. That is not its failure.',
    remedy: '',
  },
  'kernel.bypassed': { kind: 'trace', doc: 'An owner further out went past this link with next.to().', remedy: '' },
  'kernel.re-entry': {
    kind: 'trace',
    doc: 'This hook is a cause of the dispatch, and was not entered again.',
    remedy: '',
  },
  'kernel.linger': {
    kind: 'trace',
    doc: 'A hook still runs five seconds after it was settled over.',
    remedy: 'Hand next.signal to whatever it waits for.',
  },
  'kernel.dropped-key': {
    kind: 'trace',
    doc: 'A __proto__ key was left out of data that came onto the line.',
    remedy: '',
  },
});
