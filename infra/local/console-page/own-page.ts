import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether this machine's own page or a tool asks, and no other page in a browser. A name that leads to this machine is not
 * its address (DNS rebinding), and browsers say from which page a request comes: by `Sec-Fetch-Site`, and by `Origin` in
 * every POST (Fetch Metadata Request Headers, section 2; Fetch, section 3.2).
 */
export function isOwnPage({ host, origin, ...headers }: IncomingHttpHeaders, own: string): boolean {
  const site = headers['sec-fetch-site'];
  return host === own && (origin ?? `http://${own}`) === `http://${own}` && (site ?? 'same-origin') === 'same-origin';
}

/** Whether somebody has come to look, by a link or by typing the address: a page of another site may lead to a page of ours. */
export const isVisit = (headers: IncomingHttpHeaders, own: string): boolean =>
  headers.host === own && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
