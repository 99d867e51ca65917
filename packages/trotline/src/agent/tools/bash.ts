import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { ensureGuardian, guard, signalGroup } from '../../supervise/process/index.ts';
import { createCapture } from './capture.ts';
import { defineTool } from './define.ts';
import type { Tool, ToolContext, ToolOutcome } from './types.ts';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
const maxOutputChars = 30_000;
/** What a command may still say after it ended, while a child of its own holds the pipes. */
const drainMs = 100;
/** Between asking a group to end and ending it. */
const graceMs = 1_000;

/** The command begins once its group is under the guardian. If we are killed before that, it reads the end of file and never begins. */
export const GATE = 'read -r go <&3 || exit 1; exec 3<&- bash -c "$1"';

/** Process groups that may still live, and how the guardian is told that one is gone. */
type Groups = Map<number, () => void>;

/**
 * `Bash`: a command in a process group of its own, ended whole on abort and timeout. What it leaves in the background ends
 * with the agent, however the agent ends.
 */
export function createBash(): Tool {
  const groups: Groups = new Map();
  return defineTool({
    name: 'Bash',
    description:
      'Runs a command with bash in the working directory and returns what it printed. Each call starts a fresh shell. ' +
      'The timeout is in milliseconds: 120000 unless given, at most 600000.',
    isReadOnly: false,
    input: z.object({
      command: z.string().min(1).describe('The command to run'),
      timeout: z.number().positive().max(maxTimeoutMs).optional().describe('Milliseconds'),
      description: z.string().optional().describe('What the command does, in a few words'),
    }),
    run: ({ command, timeout }, context) => runCommand(command, timeout ?? defaultTimeoutMs, context, groups),
    async close() {
      await Promise.all([...groups.keys()].map(endGroup));
      for (const release of groups.values()) release();
      groups.clear();
    },
  });
}

async function runCommand(
  command: string,
  timeoutMs: number,
  { cwd, env, signal }: ToolContext,
  groups: Groups,
): Promise<ToolOutcome> {
  signal.throwIfAborted();
  forgetEnded(groups);
  ensureGuardian();
  const child = spawn('/bin/sh', ['-c', GATE, 'sh', command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr, both] = [maxOutputChars, maxOutputChars, maxOutputChars].map(createCapture);
  if (stdout === undefined || stderr === undefined || both === undefined) throw new Error('unreachable');
  const [, out, err, gate] = child.stdio as unknown as [null, Readable, Readable, Writable | undefined];
  read(out, (text) => {
    stdout.add(text);
    both.add(text);
  });
  read(err, (text) => {
    stderr.add(text);
    both.add(text);
  });

  let ended: 'timeout' | 'abort' | undefined;
  const pid = child.pid;
  const end = (why: 'timeout' | 'abort') => (): void => {
    ended ??= why;
    if (pid !== undefined) void endGroup(pid);
  };
  const onAbort = end('abort');
  const timer = setTimeout(end('timeout'), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (pid !== undefined) groups.set(pid, guard(pid));
  gate?.on('error', () => undefined);
  gate?.end('go\n');
  let exit: Exit;
  try {
    exit = await exitOf(child);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    forgetEnded(groups);
  }
  signal.throwIfAborted();

  const note =
    ended === 'timeout'
      ? `Ended after ${timeoutMs} ms (timeout)`
      : exit.signal !== null
        ? `Ended by ${exit.signal}`
        : '';
  const status = note !== '' ? note : exit.code === 0 ? '' : `Exit code ${exit.code}`;
  const printed = both.text();
  return {
    result: {
      stdout: stdout.text(),
      stderr: stderr.text(),
      interrupted: ended !== undefined,
      isImage: false,
      exitCode: exit.code,
    },
    text: [status, printed].filter((part) => part !== '').join('\n') || '(no output)',
    ...(status === '' ? {} : { isError: true }),
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Resolves when the command ended and its output is read, though a background child may hold the pipes open. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => {
      setTimeout(() => {
        // Reading goes on, so that what runs on is not ended by a broken pipe, but nothing waits for it.
        for (const pipe of [child.stdout, child.stderr]) (pipe as { unref?: () => void } | null)?.unref?.();
        resolve({ code, signal });
      }, drainMs);
    });
  });
}

function read(pipe: Readable, use: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  pipe.on('data', (bytes: Buffer) => use(decoder.write(bytes)));
  pipe.on('end', () => use(decoder.end()));
  pipe.on('error', () => {});
}

/** Asks a process group to end, and ends it. Resolves when it is gone. */
async function endGroup(pid: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!groupLives(pid)) return;
  }
  signalGroup(pid, 'SIGKILL');
}

const groupLives = (pid: number): boolean => signalGroup(pid, 0);

/** A group that is gone has a number that may be somebody else's next. */
function forgetEnded(groups: Groups): void {
  for (const [pid, release] of groups) {
    if (groupLives(pid)) continue;
    groups.delete(pid);
    release();
  }
}
