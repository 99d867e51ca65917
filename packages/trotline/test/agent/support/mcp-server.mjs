// A small MCP server over standard streams: `echo` answers, `fail` answers with an error, `crash` ends the process.
import { createInterface } from 'node:readline';

const schema = (properties) => ({ type: 'object', properties });
const tools = [
  { name: 'echo', description: 'says it again', inputSchema: schema({ text: { type: 'string' } }) },
  { name: 'fail', description: 'fails', inputSchema: schema({}) },
  { name: 'crash', description: 'ends', inputSchema: schema({}) },
  { name: 'odd name!', description: 'has a name no model takes', inputSchema: schema({}) },
];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 't', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: input }) => {
    if (name === 'crash') process.exit(1);
    if (name === 'fail') return { content: [{ type: 'text', text: 'it failed' }], isError: true };
    return { content: [{ type: 'text', text: `${name}: ${input.text ?? ''} ${process.env.MCP_TEST ?? ''}` }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (id !== undefined && answer)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) })}\n`);
});
