import type { Protocol } from '../../model/subscriptions/subscription.ts';

/** An address as a page may show it: `a***@example.org`, and of a URL nothing behind its host. */
export function maskAddress({ protocol, address }: { protocol: Protocol; address: string }): string {
  if (protocol === 'http') return `${URL.parse(address)?.origin ?? ''}/***`;
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${first}***${address.slice(at)}`;
}
