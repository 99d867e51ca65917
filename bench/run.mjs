// npm run bench [-- --json FILE] [-- NAME…]: runs every `*.bench.mjs` beside this file, or those whose name contains one of
// the names, and prints a table. Each exports `title` and `run(measure)`, which answers rows; see measure.mjs.
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compare } from './measure.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const parts = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.bench.mjs'))
  .filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)))
  .sort();

const written = [];
for (const file of parts) {
  const { title, run } = await import(new URL(file, import.meta.url).href);
  console.log(`\n${title}`);
  let last = '';
  for (const { name, peer, value, unit, ratio } of await run({ compare })) {
    const label = name === last ? '' : name;
    last = name;
    const figure = `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
    const times = peer === 'trotline' ? '' : `trotline takes ${ratio.toFixed(2)}x`;
    console.log(`  ${label.padEnd(30)}${peer.padEnd(28)}${figure.padStart(12)}   ${times}`.trimEnd());
    written.push({ part: title, name, peer, value, unit, ratio });
  }
}

if (values.json !== undefined) {
  const { version, arch, platform } = process;
  writeFileSync(values.json, `${JSON.stringify({ version, arch, platform, rows: written }, null, 2)}\n`);
}
