import type { OpBottom } from '@trotline/engine';
import { MAX_BODY, text } from './limits.ts';

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function bodyOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error(`the response has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whole responses over http and https; a network failure rejects. */
export const httpOps: Readonly<Record<string, OpBottom>> = {
  'http.fetch': async (e, { signal }) => {
    const url = new URL(text(e, 'url'));
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not http or https`);
    const init = (e['init'] ?? {}) as Init;
    const response = await fetch(url, {
      method: init.method ?? 'GET',
      signal,
      ...(init.headers === undefined ? {} : { headers: init.headers }),
      ...(init.body === undefined ? {} : { body: init.body }),
    });
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      headers[name.toLowerCase()] = value;
    });
    return { status: response.status, ok: response.ok, headers, text: await bodyOf(response) };
  },
};
