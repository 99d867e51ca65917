import type { OwnerState } from '../../host/index.ts';
import type { Colors, Io } from '../terminal/io.ts';
import { table } from '../terminal/table.ts';

/** What each hook of the demonstration is there for. */
const purposes: Readonly<Record<string, string>> = {
  guard: 'denies commands that delete folders',
  limits: 'lets no command run longer than ten seconds',
  redactor: 'takes secrets out of results before the model reads them',
};

/** Who stands on the line, and what there is to look out for, before anything happens. */
export function introText(owners: readonly OwnerState[], c: Colors): string {
  const rows = owners
    .filter(({ state }) => state === 'ready')
    .map(({ name }) => [c.bold(name), purposes[name] ?? 'a hook']);
  const count = ['No hook', 'One hook', 'Two hooks', 'Three hooks'][rows.length] ?? `${rows.length} hooks`;
  return [
    `${count} and a rule stand between it and this folder:\n`,
    table([...rows, [c.bold('a rule'), 'asks a person before a file is written']], '  '),
    `In settings.ini lies a secret, and the archive is what an eager agent would delete.\n`,
  ].join('');
}

/** What to do now, in commands that work from where this one was started. */
export function nextText({ env, outColors: c }: Pick<Io, 'env' | 'outColors'>): string {
  const trotline = env['npm_execpath'] === undefined ? 'trotline' : 'npx trotline';
  const steps = [
    [`${trotline} init --cwd FOLDER`, 'a first hook in a folder of yours, tried out at once'],
    [`${trotline} hooks --cwd FOLDER`, 'who stands on the line there'],
    [`${trotline} explain Bash command="rm -rf x" --run --cwd FOLDER`, 'what they say to a call'],
  ] as const;
  const rows = steps.map(([command, does]) => `  ${command}\n    ${c.dim(does)}\n`);
  return `\n${c.bold('Now yours')}\n${rows.join('')}`;
}
