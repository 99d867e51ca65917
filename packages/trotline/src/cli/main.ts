import { readFileSync } from 'node:fs';

/** The version of the installed package. */
const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

// A reader that went away (`trotline log | head`) is no failure: what is left to say is dropped, and whoever is at work
// hears of it through `gone`. A full disk is one.
const gone = new AbortController();
function lost(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') gone.abort();
  else {
    process.stderr.write(`error what was to be printed could not be written: ${error.message}\n`);
    process.exit(1);
  }
}
process.stdout.on('error', lost);
process.stderr.on('error', () => gone.abort());

const [first, ...rest] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && rest.length === 0) {
  // Asked for by scripts all the time, so nothing else is loaded for it.
  process.stdout.write(`${version()}\n`);
} else {
  const { catchStrays, main } = await import('./program.ts');
  catchStrays();
  const status = await main(process.argv.slice(2), version(), gone.signal);
  // Handles of other people's code must not keep a finished command alive.
  process.stdout.write('', (error) => {
    if (error) lost(error);
    process.stderr.write('', () => process.exit(status));
  });
}
