import type { SeenRequest } from '../harness/web-acl.ts';

/**
 * Keeps what this process asks of an address by `fetch`, as it would reach a web ACL.
 * @param tell hears of each request
 * @returns the way to stop
 */
export function watchRequests(baseUrl: string, tell: (request: SeenRequest) => void): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.url.startsWith(baseUrl)) {
      const { pathname, search } = new URL(request.url);
      // Node.js adds its own name on the way.
      const headers = { 'user-agent': 'node', ...Object.fromEntries(request.headers) };
      const body = await request.clone().text();
      tell({ method: request.method, path: pathname, query: search.slice(1), headers, body });
    }
    return fetch(input, init);
  };
  return () => {
    globalThis.fetch = fetch;
  };
}
