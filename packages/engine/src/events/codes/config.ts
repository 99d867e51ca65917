import { defineCodes } from './define.ts';

/** What can be wrong with a configuration. `trace` entries are warnings and notices: the configuration still loads. */
export const configCodes = defineCodes({
  'config.missing-file': {
    kind: 'error',
    doc: 'A file that was named does not exist.',
    remedy: 'Correct the path or create the file.',
  },
  'config.unreadable': {
    kind: 'error',
    doc: 'A file exists but cannot be read: no permission, a folder, or not a regular file.',
    remedy: 'Make it a regular file that you may read.',
  },
  'config.empty': {
    kind: 'error',
    doc: 'A configuration file has no content.',
    remedy: 'Write {} for a configuration without settings, or remove the file.',
  },
  'config.too-large': {
    kind: 'error',
    doc: 'A configuration file is larger than a configuration can be.',
    remedy: 'Check that the right file is named; a configuration may have 1 MiB.',
  },
  'config.too-deep': {
    kind: 'error',
    doc: 'A configuration is nested deeper than anything in it can need.',
    remedy: 'Flatten it; 64 levels are allowed.',
  },
  'config.encoding': {
    kind: 'error',
    doc: 'A configuration file is not UTF-8.',
    remedy: 'Save the file as UTF-8.',
  },
  'config.byte-order-mark': {
    kind: 'trace',
    doc: 'A configuration file starts with a byte order mark. It is read as if it were not there.',
    remedy: 'Save the file as "UTF-8" instead of "UTF-8 with BOM".',
  },
  'config.syntax': {
    kind: 'error',
    doc: 'A configuration file is not JSON with comments.',
    remedy: 'Correct the text at this place.',
  },
  'config.trailing-comma': {
    kind: 'error',
    doc: 'A comma stands before a closing bracket.',
    remedy: 'Remove the comma.',
  },
  'config.control-character': {
    kind: 'error',
    doc: 'A string holds a raw tab or another control character.',
    remedy: 'Write it as an escape, \\t for a tab.',
  },
  'config.reserved-key': {
    kind: 'error',
    doc: 'A key is a name that JavaScript gives a meaning of its own, such as __proto__.',
    remedy: 'Choose another key.',
  },
  'config.unknown-key': {
    kind: 'error',
    doc: 'A key is not part of the configuration.',
    remedy: 'Correct or remove the key.',
  },
  'config.wrong-type': {
    kind: 'error',
    doc: 'A value has the wrong type.',
    remedy: 'Write a value of the expected type.',
  },
  'config.string-for-list': {
    kind: 'error',
    doc: 'A string stands where a list of strings belongs.',
    remedy: 'Put the value in brackets, one string an element.',
  },
  'config.wrong-value': {
    kind: 'error',
    doc: 'A value has the right type but is not one of those that are allowed.',
    remedy: 'Write one of the expected values.',
  },
  'config.missing-value': {
    kind: 'error',
    doc: 'A value that is needed is absent.',
    remedy: 'Add the value.',
  },
  'config.duplicate-name': {
    kind: 'error',
    doc: 'A name is given twice in one file; only one of the two could count.',
    remedy: 'Rename or remove one of the two.',
  },
  'config.event-name': {
    kind: 'error',
    doc: 'A hook names an event or a hook point that does not exist; it would never be called.',
    remedy: 'Correct the name.',
  },
  'config.event-name-unchecked': {
    kind: 'trace',
    doc: 'An event name has no effect: it is empty, stands beside a name that selects every event, or its hook is disabled.',
    remedy: 'Correct or remove the name.',
  },
  'config.listens-to-nothing': {
    kind: 'error',
    doc: 'A process hook neither observes nor intercepts anything.',
    remedy: 'List events in "observe" or hook points in "intercept".',
  },
  'config.nothing-to-refuse': {
    kind: 'error',
    doc: 'A hook that only observes is to deny or ask on failure, but an observer has nothing to refuse.',
    remedy: 'Add an "intercept", or set "on_error" to "continue".',
  },
  'config.seconds': {
    kind: 'error',
    doc: 'A time is given under a key without a unit, as if in seconds.',
    remedy: 'Times are in milliseconds, and their keys end in _ms.',
  },
  'config.short-timeout': {
    kind: 'trace',
    doc: 'A timeout is shorter than almost any hook needs; it may have been meant in seconds.',
    remedy: 'Times are in milliseconds: write 5000 for five seconds.',
  },
  'config.unknown-tool': {
    kind: 'trace',
    doc: 'A rule names a tool that is not known here. It counts all the same: a program may have tools of its own.',
    remedy: 'Correct the name; `trotline events tool.call` and docs/reference/tools.md have the known ones.',
  },
  'config.rule-syntax': {
    kind: 'error',
    doc: 'A rule of the policy cannot be read.',
    remedy: 'Write TOOL or TOOL:pattern, such as "Bash" or "Bash:git *".',
  },
  'config.extends-circular': {
    kind: 'error',
    doc: 'A configuration extends itself, directly or through others.',
    remedy: 'Remove one of the "extends" of the circle.',
  },
  'config.leaves-root': {
    kind: 'error',
    doc: "A path in a project's configuration leads out of the project.",
    remedy: 'Keep the file inside the project, or name it in your own configuration.',
  },
  'config.project-cannot-replace': {
    kind: 'error',
    doc: 'A project gives one of its hooks a name that your own or the managed configuration uses already. Yours stays.',
    remedy: 'Rename the hook of the project.',
  },
  'config.project-cannot-loosen': {
    kind: 'trace',
    doc: 'A project sets something that would loosen or redirect what your own or the managed configuration decides. It has no effect.',
    remedy: 'Set it in your own configuration if you want it.',
  },
  'config.managed-stays': {
    kind: 'trace',
    doc: 'A configuration sets something that the managed configuration decides. The managed setting stays.',
    remedy: 'Remove the setting, or ask whoever manages this machine.',
  },
  'config.managed-only': {
    kind: 'error',
    doc: 'A key counts only in the managed configuration.',
    remedy: 'Remove the key here.',
  },
  'config.replaced': {
    kind: 'trace',
    doc: 'The file given with --config replaces something of your own configuration.',
    remedy: '',
  },
  'config.not-enabled': {
    kind: 'trace',
    doc: 'A hook is written down but not enabled.',
    remedy: 'Add "enabled": true to run it.',
  },
  'config.picoclaw-rest': {
    kind: 'trace',
    doc: 'A PicoClaw configuration is read for its hooks; its other keys have no effect here.',
    remedy: '',
  },
  'config.more-problems': {
    kind: 'error',
    doc: 'A file has more problems than are worth showing at once.',
    remedy: 'Correct those shown and run again.',
  },
});
