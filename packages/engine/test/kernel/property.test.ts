import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hook, owner, rig } from './rig.ts';

type E = { readonly tool: string; readonly cwd: string; readonly path: readonly string[] };
type Result = { readonly text?: string; readonly deny?: string; readonly path: readonly string[] };

const does = ['pass', 'down', 'up', 'answer', 'throw', 'throw-after', 'twice', 'nothing', 'pin', 'handled'] as const;
const tiers = ['prepend', 'user', 'append'] as const;
interface Spec {
  readonly does: (typeof does)[number];
  readonly tier: (typeof tiers)[number];
  readonly half: 'before' | 'after';
  readonly closed: boolean;
  /** How it takes its time before and after `next`: `now` is written without a promise. */
  readonly before: Pace;
  readonly after: Pace;
}
type Pace = 'now' | 'soon' | 'tick' | 'timer';

const pace = fc.constantFrom<Pace>('now', 'soon', 'tick', 'timer');
const spec: fc.Arbitrary<Spec> = fc.record({
  does: fc.constantFrom(...does),
  tier: fc.constantFrom(...tiers),
  half: fc.constantFrom('before', 'before', 'before', 'after'),
  closed: fc.boolean(),
  before: pace,
  after: pace,
});

const wait = (how: Pace): Promise<void> | undefined => {
  if (how === 'soon') return Promise.resolve();
  if (how === 'tick') return new Promise((go) => setImmediate(go));
  if (how === 'timer') return new Promise((go) => setTimeout(go, 1));
  return undefined;
};
/** Goes on with a value, at once where it is one. */
const then = <A, B>(value: A | Promise<A>, go: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(go) : go(value);

const add = (result: Result, tag: string): Result => ({ ...result, path: [...(result.path ?? []), tag] });
const boom = (): never => {
  throw new Error('boom');
};

function hookOf(spec: Spec, tag: string): Hook {
  const { does } = spec;
  return (e: E, next: (e: E) => Result | Promise<Result>) =>
    then(wait(spec.before), () => {
      if (does === 'answer') return { text: 'own', path: [tag] };
      if (does === 'throw' || does === 'handled') return boom();
      if (does === 'nothing') return undefined;
      const given = does === 'down' ? { ...e, path: [...e.path, tag] } : does === 'pin' ? { ...e, tool: 'other' } : e;
      const out = does === 'twice' ? then(next(given), () => next(given)) : next(given);
      return then(out, (result) =>
        then(wait(spec.after), () => (does === 'up' ? add(result, tag) : does === 'throw-after' ? boom() : result)),
      );
    });
}

/** What the design says, without timing: the fold over the links in their total order, down and back up. */
function fold(links: readonly (Spec & { tag: string })[], e: E, ran: E[]): { result: Result; made: boolean } {
  const [link, ...beneath] = links;
  if (link === undefined) {
    ran.push(e);
    return { result: { text: 'ran', path: [...e.path, 'bottom'] }, made: true };
  }
  const { does, tag, closed } = link;
  const deny: Result = { deny: tag, path: [] };
  const below = (given = e) => fold(beneath, given, ran);
  if (link.half === 'after') {
    const got = below();
    if (!got.made || got.result.deny !== undefined) return got;
    const fails = ['throw', 'throw-after', 'nothing'].includes(does);
    if (does === 'answer') return { ...got, result: { text: 'own', path: [tag] } };
    if (does === 'up' || does === 'handled') return { ...got, result: add(got.result, tag) };
    return fails && closed ? { ...got, result: deny } : got;
  }
  if (does === 'answer') return { result: { text: 'own', path: [tag] }, made: false };
  if (['throw', 'nothing', 'pin'].includes(does)) return closed ? { result: deny, made: false } : below();
  if (does === 'twice') below();
  const got = below(does === 'down' ? { ...e, path: [...e.path, tag] } : e);
  if (does === 'up' || does === 'handled') return { ...got, result: add(got.result, tag) };
  if (does === 'throw-after' && closed) return { ...got, result: deny };
  return got;
}

/** The total order, told once more: tiers, in each the before halves as registered, then the after halves in reverse. */
const sorted = <T extends Spec>(specs: readonly T[]): T[] =>
  tiers.flatMap((tier) => {
    const mine = specs.filter((one) => one.tier === tier);
    return [...mine.filter((one) => one.half === 'before'), ...mine.filter((one) => one.half === 'after').reverse()];
  });

test('for any hooks and any timing the outcome is the fold over the links in their total order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { maxLength: 9 }), pace, async (specs, bottomPace) => {
      const line = rig({ eventMisfit: () => undefined }, (e) =>
        then(wait(bottomPace), () => ({ text: 'ran', path: [...(e['path'] as string[]), 'bottom'] })),
      );
      specs.forEach((one, i) => {
        const tag = `h${i}`;
        const registration = line.on(hookOf(one, tag), {
          owner: owner('mod', { tier: one.tier }),
          half: one.half,
          onFailure: one.closed ? 'closed' : 'open',
          refusalText: () => tag,
        });
        if (one.does !== 'handled') return;
        registration.catch((_$, e, next) => then(wait(one.after), () => then(next(e), (got: Result) => add(got, tag))));
      });
      const e: E = { tool: 'Bash', cwd: '/w', path: [] };
      const ran: E[] = [];
      const { result } = fold(sorted(specs.map((one, i) => ({ ...one, tag: `h${i}` }))), e, ran);
      const out = (await line.run({ e })) as Result;
      expect(out.deny === undefined ? out : { deny: out.deny, path: [] }).toEqual(
        // A refusal is bare; what was added to one further out stands beside it.
        result.deny === undefined ? result : { deny: result.deny, path: [] },
      );
      expect(line.bottom).toEqual(ran);
    }),
    { numRuns: 300 },
  );
});

test('two dispatches at the same time do not touch each other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { maxLength: 5 }), async (specs) => {
      const answers = async (together: boolean) => {
        const line = rig({ eventMisfit: () => undefined }, (e) => ({ text: String(e['cwd']), path: ['bottom'] }));
        specs.forEach((one, i) => {
          line.on(hookOf(one, `h${i}`), { onFailure: one.closed ? 'closed' : 'open', refusalText: () => `h${i}` });
        });
        const run = (cwd: string) => line.run({ e: { tool: 'Bash', cwd, path: [] } });
        return together ? Promise.all([run('a'), run('b')]) : [await run('a'), await run('b')];
      };
      expect(await answers(true)).toEqual(await answers(false));
    }),
    { numRuns: 100 },
  );
});
