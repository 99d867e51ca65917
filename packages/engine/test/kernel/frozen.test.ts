import { expect, test } from 'vitest';
import { freezeCopy } from '../../src/kernel/index.ts';
import { event, rig } from './rig.ts';

test('the event a hook gets is frozen to every depth, and the caller keeps its own data unfrozen', async () => {
  const line = rig();
  const e = { ...event, nested: { list: [{ a: 1 }] } };
  let seen: typeof e | undefined;
  line.on((got, next) => {
    seen = got;
    return next(got);
  });
  await line.run({ e });
  expect(() => (seen!.nested.list[0]!.a = 2)).toThrow(TypeError);
  expect(() => (seen!.command = 'x')).toThrow(TypeError);
  e.nested.list[0]!.a = 2;
  expect(seen!.nested.list[0]!.a).toBe(1);
});

test('what next resolves to and what a hook answered are frozen copies too', async () => {
  const mine = { text: 'ran', list: [1] };
  const line = rig({}, () => mine);
  let below: typeof mine | undefined;
  line.on(async (e, next) => {
    below = await next(e);
    return { text: 'own', list: mine.list };
  });
  const out = (await line.run()) as typeof mine;
  expect(() => below!.list.push(2)).toThrow(TypeError);
  expect(() => out.list.push(2)).toThrow(TypeError);
  mine.list.push(2);
  expect([below!.list, out.list]).toEqual([[1], [1]]);
});

test('data given away is frozen in place', async () => {
  const line = rig();
  const e = { ...event, nested: { a: 1 } };
  let seen: unknown;
  line.on((got, next) => {
    seen = got;
    return next(got);
  });
  await line.run({ e, owned: true });
  expect(seen).toBe(e);
  expect(Object.isFrozen(e.nested)).toBe(true);
});

test('what was frozen here is shared, and unchanged parts of a rewrite with it', async () => {
  const line = rig();
  const seen: { big: object }[] = [];
  line.on((e, next) => {
    seen.push(e);
    return next({ ...e, command: 'x' });
  });
  line.on((e, next) => {
    seen.push(e);
    return next(e);
  });
  await line.run({ e: { ...event, big: { many: [1, 2, 3] } } });
  expect(seen[1]!.big).toBe(seen[0]!.big);
  expect(seen[1]).not.toBe(seen[0]);
});

test('an object that somebody else froze on its surface is not taken for ours', () => {
  const inner = { a: 1 };
  const copy = freezeCopy(Object.freeze({ inner }));
  inner.a = 2;
  expect(copy.inner.a).toBe(1);
});

const refused: [string, unknown][] = [
  ['a function', { f: () => 1 }],
  ['a symbol', { s: Symbol('x') }],
  ['an object of a class', { m: new Map() }],
  ['an Error', { e: new Error('x') }],
  ['an own class', { c: new (class A {})() }],
  ['an inherited object', { o: Object.create({ a: 1 }) }],
  ['a getter', Object.defineProperty({}, 'x', { enumerable: true, get: () => 1 })],
  ['a setter', Object.defineProperty({}, 'x', { enumerable: true, set: () => undefined })],
  ['a promise', { p: Promise.resolve() }],
  ['a bare function', () => 1],
];
test.each(refused)('%s is no plain data', (_what, value) => {
  expect(() => freezeCopy(value)).toThrow(expect.objectContaining({ code: 'kernel.not-plain' }));
});

test('a refusal says where in the value it is', () => {
  expect(() => freezeCopy({ a: [{ b: () => 1 }] })).toThrow('a.0.b is a function');
});

test('a cyclic value and one nested too deep are refused, not followed', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = { back: cyclic };
  expect(() => freezeCopy(cyclic)).toThrow(expect.objectContaining({ code: 'kernel.not-plain' }));
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(() => freezeCopy(deep)).toThrow(expect.objectContaining({ code: 'kernel.not-plain' }));
});

test('a value with more parts than the bound is refused before it is copied', () => {
  expect(() => freezeCopy(new Array(4_000_000_000 / 2))).toThrow(expect.objectContaining({ code: 'kernel.not-plain' }));
});

test('one object in two places is not a cycle', () => {
  const shared = { a: 1 };
  expect(freezeCopy({ x: shared, y: [shared] })).toEqual({ x: { a: 1 }, y: [{ a: 1 }] });
});

test('a __proto__ key is left out, pollutes nothing and stands in the trace', async () => {
  const line = rig();
  line.on(() => JSON.parse('{"text":"x","nested":{"__proto__":{"polluted":true}}}'));
  const out = (await line.run()) as { nested: { polluted?: boolean } };
  expect(out.nested.polluted).toBeUndefined();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(Object.keys(out.nested)).toEqual([]);
  expect(line.trace()[0]?.code).toBe('kernel.dropped-key');
});

test("bytes and dates travel, and changing them in place changes nobody else's", async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const line = rig({}, (e) => ({ text: String((e['bytes'] as Uint8Array)[0]), bytes: e['bytes'] }));
  line.on(async (e, next) => {
    e.bytes[0] = 9;
    e.at.setTime(0);
    const out = await next({ ...e, bytes });
    bytes[0] = 7;
    return out;
  });
  line.on((e, next) => {
    e.bytes[0] = 8;
    return next({ ...e, bytes });
  });
  const at = new Date(1000);
  const out = (await line.run({ e: { ...event, bytes: new Uint8Array([4]), at } })) as {
    text: string;
    bytes: Uint8Array;
  };
  expect(out.text).toBe('1');
  expect([...out.bytes]).toEqual([1, 2, 3]);
  expect(at.getTime()).toBe(1000);
  expect(freezeCopy(new Float64Array([1.5]))).toEqual(new Float64Array([1.5]));
});

test('an object without a prototype and one of another realm are plain', async () => {
  const { runInNewContext } = await import('node:vm');
  expect(freezeCopy(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
  expect(freezeCopy(runInNewContext('({ a: [1, { b: 2 }] })'))).toEqual({ a: [1, { b: 2 }] });
});

test('only what an object has itself is copied', () => {
  const bare = Object.assign(Object.create(null), { inherited: 1 });
  expect(Object.keys(freezeCopy(Object.assign(Object.create(bare), { own: 1 })))).toEqual(['own']);
});

test('undefined, bigint, NaN and holes come through as they are', () => {
  const copy = freezeCopy({ u: undefined, b: 10n, n: Number.NaN, h: Array.of(1).concat(new Array(1), 3) });
  expect(copy).toEqual({ u: undefined, b: 10n, n: Number.NaN, h: [1, undefined, 3] });
});

test("each hook has bytes of its own: one that writes to them changes no other hook's event", async () => {
  const line = rig();
  const seen: number[] = [];
  line.on(async (e, next) => {
    const out = await next(e);
    seen.push(e.bytes[0]);
    return out;
  });
  line.on((e, next) => {
    e.bytes[0] = 9;
    return next(e);
  });
  line.on((e, next) => {
    seen.push(e.bytes[0]);
    e.bytes[0] = 7;
    return next({ ...e, bytes: new Uint8Array([5]) });
  });
  await line.run({ e: { ...event, bytes: new Uint8Array([1]), after: { nested: [1] } } });
  expect(seen).toEqual([9, 1]);
  expect([...(line.bottom[0]!['bytes'] as Uint8Array)]).toEqual([5]);
});

test('writing to pinned bytes in place is changing a pinned field', async () => {
  const line = rig({ pinned: (field) => field === 'bytes' });
  line.on((e, next) => {
    e.bytes[0] = 9;
    return next(e);
  });
  await line.run({ e: { ...event, bytes: new Uint8Array([1]) } });
  expect(line.trace()[0]).toMatchObject({ outcome: 'skipped', failure: 'rewrite' });
  expect([...(line.bottom[0]!['bytes'] as Uint8Array)]).toEqual([1]);
});
