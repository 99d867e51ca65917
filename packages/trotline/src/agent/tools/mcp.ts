import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type NoticeMap, type NoticeName, TrotlineError } from '@trotline/engine';
import { shorten } from './capture.ts';
import { type McpServer, type Surroundings, serverTransport } from './mcp-transport.ts';
import type { Tool, ToolOutcome } from './types.ts';

/** Told what becomes of servers and calls. */
export type McpNotice = <N extends Extract<NoticeName, `mcp.${string}`>>(name: N, data: NoticeMap[N]) => void;

export interface McpConnections {
  readonly tools: readonly Tool[];
  /** Servers that did not start; the others work. */
  readonly failures: readonly TrotlineError[];
  close(): Promise<void>;
}

const connectMs = 30_000;
const callMs = 600_000;
const maxTextChars = 100_000;
const maxTools = 500;

/** Starts MCP servers and makes a tool of each of theirs, `mcp__server__tool`. A server that fails is named in `failures`. */
export async function connectMcp(
  servers: Readonly<Record<string, McpServer>>,
  surroundings: Surroundings,
  notice: McpNotice,
): Promise<McpConnections> {
  const clients: Client[] = [];
  const results = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      notice('mcp.connecting', { server: name, type: 'stdio', command: server.command });
      try {
        const { client, tools } = await connect(name, server, surroundings, notice);
        clients.push(client);
        notice('mcp.connected', { server: name, toolCount: tools.length });
        for (const tool of tools) notice('mcp.discovered', { server: name, tool: tool.name });
        return { tools };
      } catch (cause) {
        const failure = new TrotlineError('agent.mcp-failed', {
          key: `agent.mcp_servers.${name}`,
          what: `the MCP server "${name}" (${server.command}) did not start: ${wordsOf(cause)}`,
          cause,
        });
        notice('mcp.failed', { server: name, error: failure.message });
        return { failure };
      }
    }),
  );
  return {
    tools: results.flatMap(({ tools = [] }) => tools),
    failures: results.flatMap(({ failure }) => failure ?? []),
    close: async () => {
      await Promise.allSettled(clients.map((client) => client.close()));
    },
  };
}

async function connect(
  name: string,
  server: McpServer,
  surroundings: Surroundings,
  notice: McpNotice,
): Promise<{ client: Client; tools: Tool[] }> {
  const [{ Client }, transport] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    serverTransport(name, server, surroundings),
  ]);
  const client = new Client({ name: 'trotline', version: '0.1.0' });
  try {
    await client.connect(transport, { timeout: connectMs });
    const tools: Tool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: connectMs });
      tools.push(...page.tools.map((tool) => toolOf(client, name, tool, notice)));
      cursor = page.nextCursor;
    } while (cursor !== undefined && tools.length < maxTools);
    return { client, tools };
  } catch (error) {
    await client.close().catch(() => {});
    const words = transport.printed();
    throw words === '' ? error : new Error(`${wordsOf(error)}; it printed: ${words}`);
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof TrotlineError ? error.detail.what : error instanceof Error ? error.message : String(error);

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

function toolOf(client: Client, server: string, listed: Listed, notice: McpNotice): Tool {
  return {
    name: `mcp__${part(server)}__${part(listed.name)}`,
    description: shorten(listed.description ?? '', 4_000),
    inputSchema: listed.inputSchema,
    // What a server says of its own tools proves nothing.
    isReadOnly: false,
    check: () => undefined,
    async run(input, { signal }): Promise<ToolOutcome> {
      const about = { server, tool: listed.name };
      const started = performance.now();
      const ended = (isError: boolean, error?: string): void =>
        notice('mcp.callEnded', { ...about, ms: Math.round(performance.now() - started), isError, error });
      notice('mcp.callStarted', about);
      try {
        const request = { name: listed.name, arguments: { ...input } };
        const result = await client.callTool(request, undefined, { signal, timeout: callMs });
        const isError = result.isError === true;
        const text = shorten(contentText(result.content), maxTextChars);
        ended(isError);
        return { result: result.structuredContent ?? result.content, text, ...(isError && { isError }) };
      } catch (error) {
        ended(true, (error as Error).message);
        throw error;
      }
    },
  };
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
  return content
    .map(
      (block: {
        type?: string;
        text?: string;
        mimeType?: string;
        uri?: string;
        resource?: { text?: string; uri?: string };
      }) => {
        if (block.type === 'text') return block.text ?? '';
        if (block.type === 'resource') return block.resource?.text ?? `[resource ${block.resource?.uri ?? ''}]`;
        return `[${block.type ?? 'content'} ${block.mimeType ?? block.uri ?? ''}]`;
      },
    )
    .join('\n');
}

/** Model APIs take letters, digits, `_` and `-` in a tool's name. */
const part = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_');
