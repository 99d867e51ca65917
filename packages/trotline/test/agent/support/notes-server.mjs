// An MCP server made with the SDK. `write` makes a file in its working directory; `environment` names its variables.
import { appendFileSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

appendFileSync('server-pids', `${process.pid}\n`);
const server = new McpServer({ name: 'notes', version: '1.0.0' });
const say = (text) => ({ content: [{ type: 'text', text }] });
server.registerTool(
  'write',
  { description: 'Writes a note.', inputSchema: { name: z.string(), text: z.string() } },
  ({ name, text }) => {
    writeFileSync(name, text);
    return say(`wrote ${name}`);
  },
);
server.registerTool('environment', { description: 'Names its variables.', inputSchema: {} }, () =>
  say(Object.keys(process.env).sort().join(' ')),
);
await server.connect(new StdioServerTransport());
