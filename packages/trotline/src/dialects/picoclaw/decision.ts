import { field, isObject, misfit, type Obj } from './json.ts';

/** What an answer may come to, whatever its spelling. */
export type Action = 'continue' | 'modify' | 'respond' | 'deny' | 'abort_turn' | 'hard_abort';

/** What a reply says in either dialect: the published documents', and that of PicoClaw's own releases. */
export interface Decision {
  readonly action: Action;
  /** Empty where none is given. */
  readonly reason: string;
  /** Its word, where it is none of the published ones and was read by its meaning. */
  readonly readFrom?: string;
}

/** The verdict of an approver. `hint`: it gave none, which is a no, and probably not what was meant. */
export interface Approval {
  readonly approved: boolean;
  readonly reason: string;
  readonly hint?: string;
}

const published = ['continue', 'modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'];
const spellings: readonly (readonly [Action, string])[] = [
  ['continue', 'continue allow allowed approve approved always accept ok pass proceed yes'],
  ['modify', 'modify'],
  ['respond', 'respond'],
  [
    'deny',
    'deny_tool deny denied block blocked reject rejected refuse refused forbid forbidden disallow cancel stop no',
  ],
  ['abort_turn', 'abort_turn abort'],
  ['hard_abort', 'hard_abort'],
];
const actions = new Map(
  spellings.flatMap(([action, words]) => words.split(' ').map((word) => [word, action] as const)),
);
/** Of what a reply says twice, the more careful stands. */
const careful: readonly Action[] = ['hard_abort', 'abort_turn', 'deny'];

/** Longest reason passed on. */
const MAX_REASON = 4000;

/** One place of a reply that says yes or no, or what to do. */
interface Said {
  /** As it stands in the reply, for messages. */
  readonly said: string;
  /** `undefined`: not to be understood. */
  readonly action: Action | undefined;
  readonly by: 'word' | 'verdict' | 'flag';
  readonly reason?: string;
  readonly isPublished: boolean;
}

/**
 * The result of a call as an object. Nothing at all counts as an empty one, which upstream reads as `continue`; not so for
 * a `guard`, whose policy is that what did not say yes did not.
 */
export function replyOf(result: unknown, guard: boolean): Obj {
  if (result === undefined || result === null) return guard ? misfit('answered without a result') : {};
  return isObject(result) ? result : misfit(`answered ${excerpt(result)}, which is no object`);
}

/**
 * Action and reason, under any of their spellings. An answer that says no in one place means it, whatever stands in
 * another; one that cannot be understood is a failure. `payload`: what this stage reads beside the verdict; an answer with
 * none of both, though it is not empty, was meant for somebody else.
 */
export function decisionOf(reply: Obj, payload: readonly string[]): Decision {
  const said = allSaid(reply);
  const [first] = said;
  const stopping = careful.flatMap((action) => said.find((one) => one.action === action) ?? [])[0];
  const decisive = stopping ?? first;
  if (decisive === undefined) {
    const isEmpty = Object.values(reply).every((value) => value === undefined || value === null || value === '');
    if (isEmpty || payload.some((name) => isGiven(reply, name))) return { action: 'continue', reason: reasonOf(reply) };
    return misfit(`answered ${excerpt(reply)}, which says nothing that is known here`);
  }
  const { action, reason = reasonOf(reply), isPublished } = decisive;
  if (action === undefined) return misfit(`answered ${decisive.said}, which cannot be understood`);
  if (action === 'modify' && !payload.some((name) => isGiven(reply, name)))
    return misfit(`answered "modify" and not what: ${excerpt(reply)}`);
  return { action, reason, ...(isPublished ? {} : { readFrom: decisive.said }) };
}

/** Only `approved`, `allow` and `verdict` can be a yes; a no is one in any spelling, and one no is enough. */
export function approvalOf(reply: Obj): Approval {
  const said = allSaid(reply);
  const no = said.find((one) => one.action !== undefined && careful.includes(one.action));
  if (no !== undefined) return { approved: false, reason: no.reason ?? reasonOf(reply) };
  const votes = said.filter(({ by }) => by !== 'word');
  const unread = votes.find(({ action }) => action === undefined);
  if (unread !== undefined) return misfit(`answered ${unread.said}, which is neither a yes nor a no`);
  const reason = reasonOf(reply);
  if (votes.length > 0) return { approved: true, reason };
  return { approved: false, reason, hint: `the answer has neither "approved" nor "allow": ${excerpt(reply)}` };
}

export function isGiven(reply: Obj, name: string): boolean {
  const value = field(reply, name);
  return value !== undefined && value !== null;
}

function allSaid(reply: Obj): Said[] {
  const given = field(reply, 'decision');
  const nested = isObject(given) ? given : undefined;
  return [
    ...wordOf('action', field(reply, 'action')),
    ...(nested === undefined ? wordOf('decision', given) : nestedWord(nested)),
    ...wordOf('verdict', field(reply, 'verdict')),
    ...[reply, nested].flatMap((holder) => flagsOf(holder)),
  ];
}

/** `decision` as an object is there to decide: without an action, or a flag, it says something that we do not read. */
function nestedWord(nested: Obj): Said[] {
  const said = wordOf('action', field(nested, 'action'));
  if (said.length > 0 || flagsOf(nested).length > 0) return said;
  return [{ said: `"decision": ${excerpt(nested)}`, action: undefined, by: 'word', isPublished: false }];
}

function wordOf(name: string, value: unknown): Said[] {
  if (value === undefined || value === null || value === '') return [];
  const by = name === 'verdict' ? 'verdict' : 'word';
  const said = `"${name}": ${excerpt(value)}`;
  if (typeof value === 'boolean') return [{ said, action: value ? 'continue' : 'deny', by, isPublished: false }];
  if (typeof value !== 'string') return [{ said, action: undefined, by, isPublished: false }];
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return [{ said, action: actions.get(word), by, isPublished: published.includes(value) }];
}

/** `approved`, `allow`: true is a yes. `deny`, `block`: true is a no, and a text is a no with its reason. */
function flagsOf(holder: Obj | undefined): Said[] {
  const yes = ['approved', 'allow', 'allowed'].flatMap((name): Said[] => {
    const value = field(holder, name);
    if (value === undefined || value === null) return [];
    const action = typeof value !== 'boolean' ? undefined : value ? 'continue' : 'deny';
    return [{ said: `"${name}": ${excerpt(value)}`, action, by: 'flag', isPublished: false }];
  });
  const no = ['deny', 'denied', 'block', 'blocked'].flatMap((name): Said[] => {
    const value = field(holder, name);
    // That it does not say no is no yes.
    if (value === undefined || value === null || value === false || value === '') return [];
    const reason = typeof value === 'string' ? { reason: bounded(value) } : {};
    const action = value === true || typeof value === 'string' ? 'deny' : undefined;
    return [{ said: `"${name}": ${excerpt(value)}`, action, by: 'flag', isPublished: false, ...reason }];
  });
  return [...yes, ...no];
}

/** `reason`, `decision.reason`, `message`, `decision.message`. No verdict falls for the type of its reason. */
function reasonOf(reply: Obj): string {
  const given = field(reply, 'decision');
  const nested = isObject(given) ? given : undefined;
  for (const name of ['reason', 'message']) {
    for (const holder of [reply, nested]) {
      const value = field(holder, name);
      if (value === undefined || value === null || value === '') continue;
      return bounded(typeof value === 'string' ? value : JSON.stringify(value));
    }
  }
  return '';
}

const bounded = (text: string): string => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text);

/** The head of what was answered, for messages. */
function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
