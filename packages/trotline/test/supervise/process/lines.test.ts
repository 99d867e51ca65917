import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineSplitter } from '../../../src/supervise/process/lines.ts';

/** What comes out when `bytes` go in, cut at the given places. */
function split(bytes: Buffer, cuts: readonly number[], maxBytes: number): string[] {
  const out: string[] = [];
  const splitter = createLineSplitter({
    maxBytes,
    keepBytes: 4,
    onLine: (line) => out.push(line.toString()),
    onOversized: ({ head, tail, bytes: size }) => out.push(`<${head}|${tail}|${size}>`),
  });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    splitter.push(bytes.subarray(from, place));
    from = place;
  }
  splitter.end();
  return out;
}

it('lines come out the same however the stream was cut, and one over the limit costs only itself', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), fc.array(fc.nat(), { maxLength: 8 }), (lines, cuts) => {
      const text = lines.map((each) => `${each}\n`).join('');
      const expected = lines.map((each) => {
        const bytes = Buffer.from(each);
        return bytes.length <= 10 ? each : `<${bytes.subarray(0, 4)}|${bytes.subarray(-4)}|${bytes.length}>`;
      });
      expect(split(Buffer.from(text), cuts, 10)).toEqual(expected);
    }),
  );
});

it('a last line without a newline counts', () => {
  expect(split(Buffer.from('one\ntwo'), [], 10)).toEqual(['one', 'two']);
});
