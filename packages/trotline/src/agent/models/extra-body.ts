/** What makes a request what it is. These went down the line; nothing beside it may put others in their place. */
const ownKeys = ['model', 'messages', 'system', 'tools', 'stream'];

/**
 * A fetch that adds keys to the JSON body of a request. The SDKs pass on the options that they know; a server's newest
 * ones, and those of other servers, are known to nobody else.
 */
export function fetchWith(extra: Readonly<Record<string, unknown>>): typeof globalThis.fetch {
  const added = Object.fromEntries(Object.entries(extra).filter(([key]) => !ownKeys.includes(key)));
  return (url, init) => {
    if (typeof init?.body !== 'string') return fetch(url, init);
    return fetch(url, { ...init, body: JSON.stringify({ ...added, ...JSON.parse(init.body) }) });
  };
}
