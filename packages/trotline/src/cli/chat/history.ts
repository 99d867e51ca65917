import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolder } from '../../config/index.ts';
import type { Io } from '../terminal/io.ts';

const maxLines = 500;

const fileOf = (env: Io['env']): string => join(homeFolder(undefined, env), 'chat-history');

/** What was typed in earlier conversations, the newest first, as readline wants it. */
export function readHistory(env: Io['env']): string[] {
  try {
    return readFileSync(fileOf(env), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(-maxLines)
      .reverse();
  } catch {
    return []; // There is none yet, or it cannot be read: a conversation without history is still one.
  }
}

/** Keeps it for the next conversation, readable by the person alone. */
export function writeHistory(env: Io['env'], newestFirst: readonly string[]): void {
  const file = fileOf(env);
  const lines = newestFirst.slice(0, maxLines).reverse();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // Losing the history is not worth an error at the end of a conversation.
  }
}
