import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, environment, type Place } from './harness.ts';

const tmux = (place: Place, args: readonly string[]): string =>
  spawnSync('tmux', ['-S', join(place.home, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout ?? '';

/** Whether a terminal can be had here. The tests that need one are skipped otherwise, and vitest says so by their name. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A command on a real terminal. */
export interface OnTerminal {
  /** Types keys as tmux names them: text, `Enter`, `C-c`. */
  keys(...keys: readonly string[]): void;
  /** Resolves once the text, or a match, is anywhere in what was shown. */
  seen(what: string | RegExp): Promise<void>;
  screen(): string;
  /** The exit status, once it ended. */
  ended(): Promise<number>;
  close(): void;
}

/** Starts a command on a terminal of 100 columns. */
export function onTerminal(
  place: Place,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): OnTerminal {
  const status = join(place.home, 'status');
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries({ ...environment(place, env), TERM: 'xterm-256color' }).map(([k, v]) =>
    quote(`${k}=${v}`),
  );
  const command = `env -i ${variables.join(' ')} ${quote(process.execPath)} ${quote(bin)} ${args.map(quote).join(' ')}`;
  const file = join(place.home, 'command.sh');
  writeFileSync(
    file,
    `cd ${quote(place.cwd)}\n${command}\necho $? > ${quote(status)}.part && mv ${quote(status)}.part ${quote(status)}\nexec sleep 600\n`,
  );
  tmux(place, ['new-session', '-d', '-x', '100', '-y', '200', `sh ${quote(file)}`]);
  const screen = (): string => tmux(place, ['capture-pane', '-p', '-J']);
  const until = async (fits: () => boolean, what: () => string): Promise<void> => {
    for (let tries = 0; tries < 400; tries++) {
      if (fits()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${what()}\n${screen()}`);
  };
  return {
    keys: (...keys) => tmux(place, ['send-keys', ...keys]),
    screen,
    seen: (what) =>
      until(
        () => (typeof what === 'string' ? screen().includes(what) : what.test(screen())),
        () => `not seen: ${what}`,
      ),
    async ended() {
      await until(
        () => existsSync(status),
        () => 'it did not end',
      );
      return Number(readFileSync(status, 'utf8'));
    },
    close: () => {
      tmux(place, ['kill-server']);
    },
  };
}
