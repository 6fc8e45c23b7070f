import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';

const thisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Returns true for requests from this server's own pages, and for requests that were not sent by a browser. Browsers
 * send `Sec-Fetch-Site` with every request, and `Origin` with every POST (Fetch Metadata Request Headers, section 2;
 * Fetch, section 3.2).
 */
export function isSameOrigin({ host, origin, ...headers }: IncomingHttpHeaders, own = host): boolean {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  return host === own && (origin ?? `http://${own}`) === `http://${own}` && site === 'same-origin';
}

/** Returns true if a user opened the page by following a link or entering the URL. */
export const isNavigation = ({ host, ...headers }: IncomingHttpHeaders, own = host): boolean =>
  host === own && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

interface Admission {
  /** Accepts requests from pages of any origin, as API Gateway does. */
  anyOrigin?: boolean;
  /** Paths of pages that other sites may link to. */
  pages?: readonly string[];
}

/**
 * Protects a local server from web pages in the developer's browser. The server returns 403 if the `Host` header does
 * not name this machine, because a web page can rebind its DNS name to 127.0.0.1. The server also returns 403 to pages
 * from other origins, and sends no CORS headers.
 */
export function guard<S extends Server>(server: S, { anyOrigin = false, pages = [] }: Admission = {}): S {
  const emit = server.emit.bind(server);
  server.emit = (name: string, ...values: unknown[]): boolean => {
    if (name !== 'request') return emit(name, ...values);
    const [{ headers, url = '/' }, response] = values as [
      { headers: IncomingHttpHeaders; url?: string },
      ServerResponse,
    ];
    const isAccepted = anyOrigin || isSameOrigin(headers) || (pages.includes(url) && isNavigation(headers));
    if (!isAccepted || !thisMachine.test(headers.host ?? '')) {
      const message =
        'this server accepts requests only to localhost or 127.0.0.1, and only from tools and from its own pages';
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      return true;
    }
    const setHeader = response.setHeader.bind(response);
    response.setHeader = (header, value) => (/^access-control-/i.test(header) ? response : setHeader(header, value));
    return emit(name, ...values);
  };
  return server;
}
