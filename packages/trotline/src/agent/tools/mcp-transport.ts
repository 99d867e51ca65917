import { resolve } from 'node:path';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { PLAIN_ENVIRONMENT, type ProcessGroup, spawnGroup } from '../../supervise/process/index.ts';
import { createCapture } from './capture.ts';

/** An MCP server that is started as a process and spoken to over its standard streams. */
export interface McpServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Over the few variables that a server gets anyway (PATH, HOME and the like). */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute, or relative to the agent's working directory. */
  readonly cwd?: string;
}

/** Where the agent works, and the environment of which a server gets a little. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const grace = { stdinGraceMs: 2_000, termGraceMs: 2_000 };
const maxStderrChars = 2_000;

/** A transport that also knows what the server printed beside its messages. */
export interface ServerTransport extends Transport {
  readonly printed: () => string;
}

/**
 * The standard streams of a server in a process group of its own, which ends with this process however that ends. The
 * SDK's own transport starts a bare child: what such a server starts itself would live on.
 */
export async function serverTransport(
  name: string,
  { command, args = [], env = {}, cwd: dir }: McpServer,
  surroundings: Surroundings,
): Promise<ServerTransport> {
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js');
  const buffer = new ReadBuffer();
  const said = createCapture(maxStderrChars);
  let group: ProcessGroup | undefined;

  const transport: ServerTransport = {
    printed: () => said.text().trim(),
    async start() {
      const started = spawnGroup({
        name,
        command: [command, ...args],
        cwd: resolve(surroundings.cwd, dir ?? ''),
        env: { from: surroundings.env, inherit: PLAIN_ENVIRONMENT, set: env },
      });
      group = started;
      started.stderr.setEncoding('utf8').on('data', (text: string) => said.add(text));
      started.stdout.on('data', (bytes: Buffer) => {
        try {
          buffer.append(bytes);
        } catch (error) {
          // More without a line's end than any message has.
          transport.onerror?.(error as Error);
          started.kill();
          return;
        }
        for (let more = true; more; ) more = readOne();
      });
      void started.gone.then(() => {
        group = undefined;
        transport.onclose?.();
      });
    },
    send(message) {
      const stdin = group?.stdin;
      return new Promise((sent, reject) => {
        if (stdin === undefined || !stdin.writable) reject(new Error('the server has ended'));
        else stdin.write(serializeMessage(message), (error) => (error ? reject(error) : sent()));
      });
    },
    async close() {
      await group?.stop(grace);
    },
  };

  /** Hands on one message; a line that is none is told and passed over. Whether there may be another. */
  function readOne(): boolean {
    try {
      const message = buffer.readMessage();
      if (message === null) return false;
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
    return true;
  }
  return transport;
}
