import { defineCodes } from './define.ts';

export const recordsCodes = defineCodes({
  'records.closed': {
    kind: 'error',
    doc: 'Something was read from or written to records that had been closed.',
    remedy: 'Open the records again with openRecords().',
  },
  'records.folder': {
    kind: 'error',
    doc: 'The state folder or a file in it cannot be made, opened or written.',
    remedy: 'Check who owns the folder and whether the disk is full, or name another one with TROTLINE_HOME.',
  },
  'records.no-driver': {
    kind: 'error',
    doc: 'Neither node:sqlite nor the package libsql can be loaded.',
    remedy: 'Use Node 22.13 or newer, or install trotline again without leaving out its dependencies.',
  },
  'records.corrupt': {
    kind: 'error',
    doc: 'The database is damaged or is no database. It was left as it was found.',
    remedy:
      'Copy the file with its -wal beside it to a safe place, then move it away; a new one is made at the next start.',
  },
  'records.newer': {
    kind: 'error',
    doc: 'The database was written by a newer version. It was left as it was found.',
    remedy: 'Use that version or a newer one of trotline.',
  },
  'records.key': {
    kind: 'error',
    doc: 'The key of this installation cannot be used.',
    remedy:
      'Put the key file back from a copy, or move it away: a new key is made, and calls waiting for an answer must be asked again.',
  },
  'records.write': {
    kind: 'error',
    doc: 'A record could not be written.',
    remedy: 'Check the disk. Nothing that was reported as written is lost.',
  },
  'records.busy': {
    kind: 'error',
    doc: 'Another process held the database for longer than five seconds.',
    remedy: 'Try again; if it stays so, find the process that holds the file and end it.',
  },
  'records.not-json': {
    kind: 'error',
    doc: 'A value that should be stored or digested is not plain JSON data.',
    remedy: 'Hand over objects, arrays, strings, finite numbers, booleans and null only.',
  },
  'records.started-twice': {
    kind: 'error',
    doc: 'A call that had been started before was to be started again.',
    remedy: 'Nothing was run. Look at what the first run did, then make a new call if it is still wanted.',
  },
  'records.settled-twice': {
    kind: 'error',
    doc: 'A second outcome was given for a call.',
    remedy: 'Settle each call once.',
  },
  'records.no-session': {
    kind: 'error',
    doc: 'There is no session of this id.',
    remedy: 'List the sessions there are with `trotline sessions`.',
  },
  'records.session-exists': {
    kind: 'error',
    doc: 'There is a session of this id already.',
    remedy: 'Append to it, or leave the id out to get a new one.',
  },
});
