import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyHook, Stream } from '../../src/kernel/index.ts';
import { createKernel } from '../../src/kernel/index.ts';
import { owner, rules } from './rig.ts';

type E = { readonly text: string };
type Chunk = { readonly text: string };
type Whole = { readonly answer: string };
type Next = (e: E) => Stream<Chunk, Whole> & PromiseLike<Whole>;

const pauses = [() => undefined, () => Promise.resolve(), () => new Promise((go) => setImmediate(go))] as const;
type Pause = () => unknown;

/** Hooks by what they do. `pause` is how they take their time. */
const makes = {
  pass: () =>
    async function* (_$: unknown, e: E, next: Next) {
      return yield* next(e);
    },
  down: () =>
    async function* (_$: unknown, e: E, next: Next) {
      return yield* next({ text: `${e.text}d` });
    },
  upper: (pause: Pause) =>
    async function* (_$: unknown, e: E, next: Next) {
      await pause();
      const stream = next(e);
      for await (const { text } of stream) {
        await pause();
        yield { text: text.toUpperCase() };
      }
      return { answer: (await stream.result).answer.toUpperCase() };
    },
  answer: (pause: Pause) =>
    async function* () {
      await pause();
      for (const text of 'own') yield { text };
      return { answer: 'own' };
    },
  'fail before': (pause: Pause) =>
    // biome-ignore lint/correctness/useYield: what is tested
    async function* () {
      await pause();
      throw new Error('boom');
    },
  'fail after one': (pause: Pause) =>
    async function* (_$: unknown, e: E, next: Next) {
      const step = await next(e).next();
      await pause();
      if (step.done !== true) yield { text: step.value.text.toUpperCase() };
      throw new Error('boom');
    },
  live: () => (_$: unknown, e: E, next: Next) => next(e),
  buffer: (pause: Pause) => async (_$: unknown, e: E, next: Next) => {
    await pause();
    const whole = await next(e);
    await pause();
    return whole;
  },
  change: (pause: Pause) => async (_$: unknown, e: E, next: Next) => {
    const { answer } = await next(e);
    await pause();
    return { answer: `${answer}!` };
  },
  twice: () => async (_$: unknown, e: E, next: Next) => {
    await next(e);
    return next({ text: `${e.text}2` });
  },
} satisfies Record<string, (pause: Pause) => unknown>;
type Kind = keyof typeof makes;

/** What is shown and what is answered, without timing. */
function fold([kind, ...beneath]: readonly Kind[], text: string): { shown: string; answer: string } {
  const below = (given = text) => fold(beneath, given);
  switch (kind) {
    case undefined:
      return { shown: text, answer: text };
    case 'answer':
      return { shown: 'own', answer: 'own' };
    case 'down':
      return below(`${text}d`);
    case 'twice':
      return below(`${text}2`);
    case 'upper': {
      const { shown, answer } = below();
      return { shown: shown.toUpperCase(), answer: answer.toUpperCase() };
    }
    case 'change': {
      const answer = `${below().answer}!`;
      return { shown: answer, answer };
    }
    case 'fail after one': {
      const { shown, answer } = below();
      return { shown: shown.slice(0, 1).toUpperCase() + shown.slice(1), answer };
    }
    default:
      return below();
  }
}

test('for any generators and buffering links and any timing, what is shown and answered is the fold over them', async () => {
  const kind = fc.constantFrom(...(Object.keys(makes) as Kind[]));
  const link = fc.record({ kind, pause: fc.nat(2) });
  const mine = rules({
    name: 'llm.request',
    stream: true,
    pinned: () => false,
    eventMisfit: () => undefined,
    resultMisfit: (result: unknown) =>
      typeof (result as Whole | undefined)?.answer === 'string' ? undefined : 'no { answer }',
    chunksOf: (result: unknown) => [...(result as Whole).answer].map((text) => ({ text })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(link, { maxLength: 6 }), fc.nat(2), async (links, bottomPause) => {
      const kernel = createKernel({ dollar: () => ({}) });
      for (const { kind, pause } of links) {
        const hook = makes[kind](pauses[pause] as Pause) as AnyHook;
        kernel.register({ owner: owner(), pattern: 'llm.request', hook });
      }
      const stream = kernel.dispatch(mine, {
        e: { text: 'ab' },
        origin: { plugin: 'engine', tier: 'core' },
        bottom: async function* ({ text }: E) {
          for (const letter of text) {
            await pauses[bottomPause]?.();
            yield { text: letter };
          }
          return { answer: text };
        },
      }) as unknown as Stream<Chunk, Whole>;
      let shown = '';
      for await (const chunk of stream) shown += chunk.text;
      expect({ shown, ...(await stream.result) }).toEqual(
        fold(
          links.map((one) => one.kind),
          'ab',
        ),
      );
    }),
    { numRuns: 300 },
  );
});
