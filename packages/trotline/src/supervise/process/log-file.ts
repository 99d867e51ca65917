import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A text file of bounded size that takes lines without making anybody wait. */
export interface LogFile {
  write(line: string): void;
  /** Writes what waits and closes. Idempotent. */
  close(): Promise<void>;
}

export interface LogFileOptions {
  /** When the file reaches this size it becomes `<path>.1`, replacing the one before. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Characters that may wait for the disk; what comes beyond is dropped, and the file says how much. Default 256 Ki. */
  readonly maxWaiting?: number;
  /** Told once, when the file cannot be written; lines are dropped from then on. */
  readonly onError?: (error: Error) => void;
}

/** Opens a log file, mode 0600, its folder made when needed. Nothing is written before the first line. */
export function openLogFile(path: string, options: LogFileOptions = {}): LogFile {
  const maxBytes = options.maxBytes ?? 1024 * 1024;
  const maxWaiting = options.maxWaiting ?? 256 * 1024;
  let waiting = '';
  let dropped = 0;
  let flushing: Promise<void> | undefined;
  let broken = false;
  let closed = false;

  const flush = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    while (waiting !== '' || dropped > 0) {
      const text = dropped > 0 ? `${waiting}[${dropped} lines dropped: too many at once]\n` : waiting;
      waiting = '';
      dropped = 0;
      const size = await stat(path).then(
        (found) => found.size,
        () => 0,
      );
      if (size > 0 && size + text.length > maxBytes) await rename(path, `${path}.1`);
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(text);
      } finally {
        await file.close();
      }
    }
  };
  const kick = (): void => {
    flushing ??= flush()
      .catch((error: Error) => {
        broken = true;
        waiting = '';
        dropped = 0;
        options.onError?.(error);
      })
      .finally(() => {
        flushing = undefined;
      });
  };

  return {
    write(line) {
      if (broken || closed) return;
      if (waiting.length + line.length > maxWaiting) dropped += 1;
      else waiting += `${line}\n`;
      kick();
    },
    async close() {
      closed = true;
      await flushing;
    },
  };
}
