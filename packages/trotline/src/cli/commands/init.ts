import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Explanation, TrotlineError } from '@trotline/engine';
import { trust } from '../../config/index.ts';
import type { Context } from '../command.ts';
import { exit } from '../exit.ts';
import { configText, type Lang, samples, templates } from '../init/templates.ts';
import { folderOf, openHere } from '../open.ts';
import { denialOf } from '../render/deeds.ts';
import { clean } from '../terminal/clean.ts';
import type { Io } from '../terminal/io.ts';

interface Options {
  readonly lang?: Lang;
  readonly cwd?: string;
  readonly force?: boolean;
}

/** `trotline init` */
export async function init({ io, json }: Context, _: readonly string[], options: Options): Promise<number> {
  const folder = folderOf(io, options);
  const lang = options.lang ?? (await askLang(io));
  const template = templates[lang];
  const files = [
    { path: join(folder, 'trotline.json'), text: configText(template), mode: 0o644 },
    { path: join(folder, template.file), text: template.text, mode: template.executable ? 0o755 : 0o644 },
  ];
  const present = files.filter(({ path }) => existsSync(path));
  if (present.length > 0 && options.force !== true) {
    throw new TrotlineError('cli.exists', {
      what: `${present.map(({ path }) => path).join(' and ')} would be replaced`,
    });
  }
  for (const { path, text, mode } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: options.force === true ? 'w' : 'wx' });
    chmodSync(path, mode);
  }
  // What was just written by this very command needs no second look.
  await trust(join(folder, 'trotline.json'), { env: io.env, cwd: folder });
  const verdicts = await tryOut(io, folder);
  const written = files.map(({ path }) => path);
  if (json) io.out(`${JSON.stringify({ written, trusted: true, verdicts })}\n`);
  else io.out(report(written, verdicts, io.outColors));
  const { refused, passed } = verdicts;
  if (refused.denied === undefined || passed.denied !== undefined) {
    throw new TrotlineError('cli.init-failed', {
      what: 'the hook does not refuse what it should, or refuses what it should not',
    });
  }
  return exit.done;
}

async function askLang(io: Io): Promise<Lang> {
  if (!io.interactive) return 'ts';
  const { isCancel, select } = await import('@clack/prompts');
  const options = (Object.keys(templates) as Lang[]).map((value) => ({ value, label: templates[value].label }));
  const chosen = await select<Lang>({ message: 'Which language for the first hook?', options });
  if (isCancel(chosen))
    throw new TrotlineError('cli.usage', { what: 'no language was chosen', remedy: 'Name it with --lang.' });
  return chosen;
}

interface SampleVerdict {
  readonly command: string;
  readonly denied?: string;
  readonly by?: string;
}

/** Asks the hook about two calls. Nothing runs: what lies beneath the hooks is stubbed. */
async function tryOut(
  io: Io,
  folder: string,
): Promise<{ readonly refused: SampleVerdict; readonly passed: SampleVerdict }> {
  const line = await openHere({ ...io, cwd: folder }, {});
  try {
    const ask = async (command: string): Promise<SampleVerdict> => {
      const e = { tool: 'Bash', tool_use_id: 'init', command };
      return verdictOf(command, await line.explain('tool.call', e, { run: true }));
    };
    return { refused: await ask(samples.refused), passed: await ask(samples.passed) };
  } finally {
    await line.close();
  }
}

function verdictOf(command: string, { run }: Explanation): SampleVerdict {
  const by = run?.trace.find(({ plugin, returned }) => plugin === 'first-hook' && denialOf(returned) !== undefined);
  const denied = denialOf(run?.result);
  // A rule beneath may deny as well; the sample is about the hook.
  return denied === undefined || by === undefined
    ? { command, ...(denied === undefined ? {} : { denied }) }
    : { command, denied, by: by.plugin };
}

function report(
  written: readonly string[],
  { refused, passed }: { readonly refused: SampleVerdict; readonly passed: SampleVerdict },
  c: Io['outColors'],
): string {
  const verdict = ({ command, denied, by }: SampleVerdict): string =>
    `  ${command.padEnd(14)} ${denied === undefined ? c.green('passes') : c.red(`denied by ${by ?? 'a rule'}: ${clean(denied)}`)}\n`;
  return [
    `Written, and trusted as it is now:\n${written.map((path) => `  ${clean(path)}\n`).join('')}`,
    `\nThe hook was started and asked about two calls:\n${verdict(refused)}${verdict(passed)}`,
    '\nNext:\n  trotline hooks                      who stands on the line\n',
    '  trotline explain Bash command=ls    what would happen to a call\n',
    '  trotline trust                      after each change of these files: until then none of it counts\n',
    '  trotline run "list the files" --model anthropic/claude-sonnet-4-5\n',
  ].join('');
}
