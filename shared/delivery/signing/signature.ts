import { createHash, createHmac, sign } from 'node:crypto';
import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import type { SigningKey } from './keyring.ts';

// The signature covers these headers because they define the meaning of an event. The signature excludes
// `subscription-id`, because all recipients of a message share one signature.
const meaning = ['message-type', 'message-id', 'topic-id', 'subject'] as const;

const contentDigest = (body: Uint8Array): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/**
 * Returns the headers for HTTP Message Signatures (RFC 9421): one Ed25519 signature per key, over the `meaning` headers
 * and the digest of the body. `created` is in epoch seconds; `keyid` is the `kid` in our JWKS.
 */
export function messageSignatureHeaders(
  message: Readonly<Record<string, string>>,
  digest: string,
  keys: readonly SigningKey[],
  created: number,
): Record<string, string> {
  const headers: Readonly<Record<string, string>> = { ...message, 'content-digest': digest };
  const covered = [...meaning, 'content-digest'].filter((name) => headers[name] !== undefined);
  const list = covered.map((name) => `"${name}"`).join(' ');
  const lines = covered.map((name) => `"${name}": ${headers[name]}\n`).join('');
  const made = keys.map(({ privateKey, publicKey }, index) => {
    const input = `(${list});created=${created};keyid="${publicKey.kid}";alg="ed25519"`;
    const signature = sign(null, Buffer.from(`${lines}"@signature-params": ${input}`), privateKey).toString('base64');
    return { input: `sig${index + 1}=${input}`, signature: `sig${index + 1}=:${signature}:` };
  });
  return {
    'content-digest': digest,
    'signature-input': made.map(({ input }) => input).join(', '),
    signature: made.map(({ signature }) => signature).join(', '),
  };
}

/** Returns the headers for Standard Webhooks 1.0: Ed25519 (`v1a`) and HMAC-SHA256 (`v1`) signatures. */
export function webhookHeaders(
  { messageId, body }: { readonly messageId: string; readonly body: Buffer },
  keys: readonly SigningKey[],
  hasHmac: boolean,
  seconds: number,
): Record<string, string> {
  const content = Buffer.concat([Buffer.from(`${messageId}.${seconds}.`), body]);
  const signatures = keys.flatMap(({ privateKey, hmacKey }) => [
    `v1a,${sign(null, content, privateKey).toString('base64')}`,
    ...(hasHmac ? [`v1,${createHmac('sha256', hmacKey).update(content).digest('base64')}`] : []),
  ]);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}

interface SignatureOptions {
  readonly keys: () => Promise<readonly SigningKey[]>;
  readonly hasHmac: boolean;
  readonly now: () => number;
}

type Signable = Pick<ComposedMessage, 'messageId' | 'headers' | 'body'>;

/** Returns a function that signs messages. Deliveries of the same message within one second share a signature. */
export function signer({ keys, hasHmac, now }: SignatureOptions) {
  const signed = new WeakMap<Signable, { seconds: number; headers: Readonly<Record<string, string>> }>();
  return async (message: Signable): Promise<Readonly<Record<string, string>>> => {
    const seconds = Math.floor(now() / 1000);
    const before = signed.get(message);
    if (before?.seconds === seconds) return before.headers;
    const valid = await keys();
    const digest = before?.headers['content-digest'] ?? contentDigest(message.body);
    const headers = {
      ...webhookHeaders(message, valid, hasHmac, seconds),
      ...messageSignatureHeaders(message.headers, digest, valid, seconds),
    };
    signed.set(message, { seconds, headers });
    return headers;
  };
}
