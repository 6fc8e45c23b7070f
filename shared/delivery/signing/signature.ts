import { createHmac, sign } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

interface SignatureOptions {
  /** The keys that are valid now. */
  readonly keys: () => Promise<readonly SigningKey[]>;
  /** Adds the symmetric form. */
  readonly hasHmac: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Signable {
  readonly messageId: string;
  readonly body: Buffer;
}

/**
 * The three headers of Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` in seconds, and `webhook-signature`, one
 * signature for each key with a space between: `v1a,` and base64 of Ed25519, `v1,` and base64 of HMAC-SHA256, over
 * `<id>.<timestamp>.<body>`.
 */
export function signatureHeaders(
  { messageId, body }: Signable,
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

/** Makes the signer of messages. The recipients of one message share its signature while the second lasts. */
export function signer({ keys, hasHmac, now }: SignatureOptions) {
  const signed = new WeakMap<Signable, { readonly seconds: number; readonly headers: Record<string, string> }>();
  return async (message: Signable): Promise<Readonly<Record<string, string>>> => {
    const valid = await keys();
    const seconds = Math.floor(now() / 1000);
    const before = signed.get(message);
    if (before?.seconds === seconds) return before.headers;
    const headers = signatureHeaders(message, valid, hasHmac, seconds);
    signed.set(message, { seconds, headers });
    return headers;
  };
}
