import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What `GET /.well-known/jwks.json` answers. */
export interface PublishedKeys {
  readonly keys: readonly { readonly [member: string]: string }[];
}

/** Whether any of the `v1a` signatures of a delivery is good under any of these keys; by node:crypto alone. */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, { keys }: PublishedKeys): boolean {
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .flatMap((one) => (one.startsWith('v1a,') ? [Buffer.from(one.slice(4), 'base64')] : []));
  const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const content = Buffer.concat([Buffer.from(head), body]);
  return keys.some((key) => {
    const publicKey = createPublicKey({ key, format: 'jwk' });
    return signatures.some((signature) => verify(null, content, publicKey, signature));
  });
}
