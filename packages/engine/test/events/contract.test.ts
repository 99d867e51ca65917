import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createEngine, type EventDef, events } from '../../src/index.ts';
import { sample } from './samples.ts';

interface Row {
  readonly world: EventDef['world'];
  readonly pinned: readonly string[];
  /** `*`: any field beside those named. */
  readonly rewritable: readonly string[];
  readonly stream?: true;
  readonly observe?: true;
  /** The fields of its refusal. */
  readonly refuses?: readonly string[];
  /** Where its behaviour is tested, from this folder. */
  readonly test?: string;
  /** Why there is no test. */
  readonly reason?: string;
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const ledger = JSON.parse(readFileSync(at('ledger.json'), 'utf8')) as Readonly<Record<string, Row>>;
const catalogue = events as unknown as Readonly<Record<string, EventDef>>;
const rows = Object.entries(ledger);
/** Raised by the engine's pipelines alone. */
const piped = new Set(['tool.call', 'turn.step', 'llm.request']);

describe('the ledger', () => {
  test('lists every event of the catalogue, and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(ledger).sort());
  });

  test('counts 46 engine events, 61 ops and 33 settings events, and four of ours', () => {
    const count = (world: EventDef['world']): number => rows.filter(([, row]) => row.world === world).length;
    expect([count('mods'), count('op'), count('classic'), count('ours')]).toEqual([46, 61, 33, 4]);
  });

  test.each(rows)('says of %s where it is tested, or why not', (name, row) => {
    if (row.test === undefined) {
      expect(row.reason).toBeTruthy();
      return;
    }
    expect(existsSync(at(row.test))).toBe(true);
    if (row.test !== 'contract.test.ts') {
      const [noun, method] = name.split('.');
      const text = readFileSync(at(row.test), 'utf8');
      expect(text.includes(`'${name}'`) || text.includes(`$.${noun}.${method}`)).toBe(true);
    }
  });

  test.each(Object.keys(catalogue))('%s has its types tested', (name) => {
    const noun = name.slice(0, name.indexOf('.'));
    const files = [`types/${noun}.test.ts`, `types/op-${noun}.test.ts`].filter((file) => existsSync(at(file)));
    expect(files.some((file) => readFileSync(at(file), 'utf8').includes(`test('${name}'`))).toBe(true);
  });
});

describe.each(rows)('%s', (name, row) => {
  const event = catalogue[name] as EventDef;

  test('is what the contract says', () => {
    expect(event.world).toBe(row.world);
    expect(event.stream).toBe(row.stream === true);
    expect(event.observe).toBe(row.observe === true);
    expect(event.open).toBe(row.rewritable.includes('*'));
    const named = Object.keys(event.fields);
    expect(named.filter((field) => event.pinned(field)).sort()).toEqual([...row.pinned].sort());
    expect(named.filter((field) => !event.pinned(field)).sort()).toEqual(
      row.rewritable.filter((field) => field !== '*').sort(),
    );
    expect(event.pinned('something else')).toBe(!event.open);
  });

  test('has a refusal that is a result of it', () => {
    expect(event.canRefuse).toBe(row.refuses !== undefined);
    if (row.refuses === undefined) return;
    const refusal = event.refusal?.('because');
    expect(Object.keys(refusal as object).sort()).toEqual([...row.refuses].sort());
    expect(event.resultMisfit(refusal)).toBeUndefined();
    expect(event.refused?.(refusal)).toBe(true);
  });

  test('has a neutral result that is a result of it, and no refusal', () => {
    const e = Object.fromEntries(Object.entries(event.fields).map(([key, shape]) => [key, sample(shape.schema())]));
    const neutral = event.neutral?.(e);
    if (event.neutral === undefined) return;
    expect(event.resultMisfit(neutral)).toBeUndefined();
    expect(event.refused?.(neutral) ?? false).toBe(false);
  });

  test.skipIf(piped.has(name))('lets a hook rewrite what may be rewritten, and nothing else', async () => {
    const e = Object.fromEntries(Object.entries(event.fields).map(([key, shape]) => [key, sample(shape.schema())]));
    const result = sample(event.resultSchema());
    let reached: Readonly<Record<string, unknown>> = {};
    const bottom = (final: typeof reached): unknown => {
      reached = final;
      return result;
    };
    const raise = async (change: Readonly<Record<string, unknown>>): Promise<void> => {
      const line = createEngine();
      const rewrite = (next: (e: unknown) => unknown, received: object) => next({ ...received, ...change });
      if (event.stream) {
        line.on(name, async function* (_$, received, next) {
          return yield* rewrite(next, received) as AsyncGenerator;
        });
      } else line.on(name, (_$, received, next) => rewrite(next, received));
      await line.raise(name as never, e as never, { bottom: bottom as never });
      await line.close();
    };
    for (const field of Object.keys(event.fields)) {
      const other = sample((event.fields[field] as (typeof event.fields)[string]).schema(), true);
      if (JSON.stringify(other) === JSON.stringify(e[field])) continue;
      reached = {};
      await raise({ [field]: other });
      expect([field, reached[field]]).toEqual([field, event.pinned(field) ? e[field] : other]);
    }
  });
});
