import { defineCodes } from './define.ts';

export const superviseCodes = defineCodes({
  'supervise.cannot-start': {
    kind: 'error',
    doc: 'A process could not be started.',
    remedy: 'Run the command by hand in the same folder; correct `command`, `dir` or the file mode.',
  },
  'supervise.handshake': {
    kind: 'error',
    doc: 'A process started but did not complete its handshake.',
    remedy:
      'It must answer the first request on stdout, one JSON object a line, and flush it. See what it printed with `trotline logs`.',
  },
  'supervise.exited': {
    kind: 'error',
    doc: 'A process ended while a call waited for it.',
    remedy: 'See what it printed with `trotline logs`.',
  },
  'supervise.down': {
    kind: 'error',
    doc: 'A call was made on a process that is not running.',
    remedy: 'It is started again by itself unless it ended too often; see `trotline logs` for why it ended.',
  },
  'supervise.stopped': {
    kind: 'error',
    doc: 'A call was made on a process that was stopped on purpose, or waited while it was.',
    remedy: '',
  },
  'supervise.timeout': {
    kind: 'error',
    doc: 'A process did not answer a call in time.',
    remedy: 'Raise its timeout, or make it answer every request and flush stdout after each line.',
  },
  'supervise.refused': {
    kind: 'error',
    doc: 'A process answered a call with a JSON-RPC error.',
    remedy: 'See what it printed with `trotline logs`.',
  },
  'supervise.garbage': {
    kind: 'error',
    doc: 'A process answered with what cannot be read: a line over the limit, too many unreadable lines, or its own request.',
    remedy:
      'Print one JSON object a line on stdout and everything else on stderr; raise the line limit if the answer is meant to be that long.',
  },
  'supervise.queue-full': {
    kind: 'error',
    doc: 'A process does not read its stdin and too much waits for it already.',
    remedy: 'Make it read stdin while it works.',
  },
  'supervise.no-guardian': {
    kind: 'error',
    doc: 'The small process that ends hook processes if ours is killed could not be started.',
    remedy: 'It needs /bin/sh. Without it nothing is started, so that nothing can be left behind.',
  },
  'supervise.noise': {
    kind: 'trace',
    doc: 'A process printed a line on stdout that is no JSON-RPC message; it was skipped.',
    remedy: 'Print diagnostics on stderr.',
  },
  'supervise.oversized': {
    kind: 'trace',
    doc: 'A process printed a line over the limit; it was skipped and the call it answered failed.',
    remedy: 'Answer shorter, or raise the line limit.',
  },
  'supervise.late': {
    kind: 'trace',
    doc: 'A process answered a call after it was given up; the answer was dropped.',
    remedy: 'Raise its timeout.',
  },
  'supervise.answered-twice': {
    kind: 'trace',
    doc: 'A process answered a call a second time; the second answer was dropped.',
    remedy: 'Answer each request once.',
  },
  'supervise.unknown-id': {
    kind: 'trace',
    doc: 'A process answered a call that was never made; the answer was dropped.',
    remedy: 'Answer with the id of the request, as a number.',
  },
  'supervise.dropped': {
    kind: 'trace',
    doc: 'A process does not read its stdin; the oldest notification that waited for it was dropped.',
    remedy: 'Make it read stdin while it works.',
  },
  'supervise.observer': {
    kind: 'trace',
    doc: 'A callback given to the supervisor threw; the process it was told about is unaffected.',
    remedy: '',
  },
});
