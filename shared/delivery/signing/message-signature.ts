import { createHash, sign } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

// What an event means stands in them: who relabels an event has to change one. `subscription-id` is not among them,
// because the recipients of a message share its signature.
const meaning = ['message-type', 'message-id', 'topic-id', 'subject'] as const;

/** The digest of a body's bytes as a header (RFC 9530). */
export const contentDigest = (body: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/**
 * An HTTP Message Signature (RFC 9421) by Ed25519 over what a message means, and over its body by the digest: the three
 * headers. There is a signature for each key, `sig1` by the first; `created` is in seconds, `keyid` the `kid` of our JWKS.
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
