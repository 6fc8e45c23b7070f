import { contentDigest, messageSignatureHeaders } from './message-signature.ts';
import type { SigningKey } from './signing-key.ts';
import { webhookHeaders } from './webhook-signature.ts';

interface SignatureOptions {
  /** The keys that are valid now. */
  readonly keys: () => Promise<readonly SigningKey[]>;
  /** Adds the symmetric form. */
  readonly hasHmac: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What is signed of a message: its body, and the headers that say what it means. */
interface Signable {
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Signed {
  readonly digest: string;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the signer of messages, by Standard Webhooks and by RFC 9421. The recipients of one message share its signatures
 * while the second lasts, and its digest for longer.
 */
export function signer({ keys, hasHmac, now }: SignatureOptions) {
  const signed = new WeakMap<Signable, Signed>();
  return async (message: Signable): Promise<Readonly<Record<string, string>>> => {
    const seconds = Math.floor(now() / 1000);
    const before = signed.get(message);
    if (before?.seconds === seconds) return before.headers;
    const valid = await keys();
    const digest = before?.digest ?? contentDigest(message.body);
    const headers = {
      ...webhookHeaders(message, valid, hasHmac, seconds),
      ...messageSignatureHeaders(message.headers, digest, valid, seconds),
    };
    signed.set(message, { digest, seconds, headers });
    return headers;
  };
}
