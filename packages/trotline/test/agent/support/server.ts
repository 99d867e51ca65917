import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a request body in a test
  readonly body: any;
}

export type Reply = (response: ServerResponse, asked: Asked) => void;

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()));
});

/** A model server on the loopback that answers each request with the next reply; the last one again and again. */
export async function modelServer(...replies: readonly Reply[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) };
      asked.push(one);
      replies[Math.min(asked.length, replies.length) - 1]?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A port on which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const sse = (response: ServerResponse, events: readonly unknown[], end: 'end' | 'cut' | 'hold' = 'end'): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const { type } = event as { type?: string };
    response.write(
      `${type ? `event: ${type}\n` : ''}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
    );
  }
  if (end === 'end') response.end();
  // Let what was written leave before the connection breaks.
  if (end === 'cut') setTimeout(() => response.destroy(), 50);
};

export interface Said {
  readonly text?: string;
  readonly tool?: { readonly name: string; readonly json: string };
  /** Stops short of the end: closes properly, breaks the connection, or falls silent. */
  readonly short?: 'end' | 'cut' | 'hold';
}

/** An answer in OpenAI's chat completions. */
export const chat =
  ({ text, tool, short }: Said): Reply =>
  (response) => {
    const chunk = (delta: unknown, finish_reason: string | null = null): unknown => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    });
    const half = Math.ceil((tool?.json.length ?? 0) / 2);
    const call = (fn: object, rest: object = {}): unknown =>
      chunk({ tool_calls: [{ index: 0, ...rest, function: fn }] });
    const events = [
      ...(text === undefined
        ? []
        : [chunk({ role: 'assistant', content: text.slice(0, 3) }), chunk({ content: text.slice(3) })]),
      ...(tool === undefined
        ? []
        : [
            call({ name: tool.name, arguments: tool.json.slice(0, half) }, { id: 'call_a', type: 'function' }),
            ...(short === undefined ? [call({ arguments: tool.json.slice(half) })] : []),
          ]),
    ];
    if (short !== undefined) return sse(response, events, short);
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    sse(response, [...events, chunk({}, tool ? 'tool_calls' : 'stop'), { choices: [], usage }, '[DONE]']);
  };

/** An answer in Anthropic's messages. */
export const messages =
  ({ text, tool, short }: Said): Reply =>
  (response) => {
    const usage = { input_tokens: 11, output_tokens: 1, cache_read_input_tokens: 5 };
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage };
    const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const events: object[] = [{ type: 'message_start', message }];
    if (text !== undefined) {
      const deltas = [text.slice(0, 3), text.slice(3)].map((part) => ({ type: 'text_delta', text: part }));
      events.push(...block(0, { type: 'text', text: '' }, ...deltas));
    }
    if (tool !== undefined) {
      const delta = { type: 'input_json_delta', partial_json: tool.json };
      events.push(...block(1, { type: 'tool_use', id: 'toolu_a', name: tool.name, input: {} }, delta));
    }
    if (short !== undefined) return sse(response, events, short);
    events.push({
      type: 'message_delta',
      delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    });
    sse(response, [...events, { type: 'message_stop' }]);
  };

/** An error of the server. */
export const refuse =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type: 'some_error', message } }));
  };
