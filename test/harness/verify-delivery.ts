import { createHash, createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { httpbis } from 'http-message-signatures';

/** The response of `GET /v1/.well-known/jwks.json`. */
interface PublishedKeys {
  readonly keys: readonly { readonly [member: string]: string }[];
}

/** Returns whether at least one `v1a` signature of a delivery was made with one of the keys. Uses only node:crypto. */
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

const meaning = ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest'];

/**
 * Returns whether a recent HTTP Message Signature made with one of the keys covers the body and all relevant headers.
 * Uses an independent library.
 */
export async function isMessageSignatureValid(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { keys }: PublishedKeys,
): Promise<boolean> {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const given = headers as Record<string, string>;
  const keyLookup = async ({ keyid }: { keyid?: string }) => {
    const key = keys.find(({ kid }) => kid === keyid);
    if (key === undefined) return null;
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const check = async (data: Buffer, signature: Buffer) => verify(null, data, publicKey, signature);
    return { algs: ['ed25519'], verify: check };
  };
  const wanted = {
    keyLookup,
    requiredParams: ['created', 'keyid', 'alg'],
    requiredFields: meaning.filter((name) => given[name] !== undefined),
    // The clocks of the sender and the receiver may differ by up to 300 s.
    ...{ tolerance: 300, maxAge: 600 },
  };
  const request = { method: 'POST', url: 'https://receiver.example/', headers: given };
  const isGood = await httpbis.verifyMessage(wanted, request).catch(() => false);
  return isGood === true && given['content-digest'] === digest;
}
