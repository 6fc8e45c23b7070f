import { createHash, createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from 'node:crypto';

/** Request headers as Node.js, Express, fetch or Lambda provide them. Header names may be in upper or lower case. */
export type GivenHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The registry's public keys (its JWKS) and, for `v1` signatures, shared secrets (`whsec_…`). */
export interface VerificationKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  readonly secrets?: readonly string[];
}

/** The facts that a signature proves about a delivery. A signature also proves that the body is unchanged. */
export type Verified = {
  /** The time of the signature in epoch seconds. */
  readonly created: number;
  readonly messageId: string;
} & (
  | {
      readonly scheme: 'rfc9421';
      readonly messageType: string;
      readonly topicId: string;
      /** The decoded subject given by the publisher; undefined if the delivery has no subject. */
      readonly subject: string | undefined;
    }
  // Standard Webhooks signatures do not cover the type, the topic or the subject.
  | { readonly scheme: 'v1a' | 'v1' }
);

const toleranceSeconds = 300;
const covered = ['message-type', 'message-id', 'topic-id', 'subject', 'content-digest'] as const;
const webhook = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

// Deliveries have two signatures while the registry rotates its key. Checking more than four signatures would only
// waste time.
const maxSignatures = 4;

type Headers = Readonly<Record<string, string>>;

/**
 * Returns the headers that a signature needs, with lower-case names. Returns undefined if a signed header appears
 * twice.
 */
function readHeaders(given: GivenHeaders): Headers | undefined {
  const headers = new Map<string, string>();
  const relevant: readonly string[] = [...covered, ...webhook, 'signature', 'signature-input'];
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (value === undefined || !relevant.includes(key)) continue;
    if (headers.has(key) || typeof value !== 'string') return undefined;
    headers.set(key, value);
  }
  return Object.fromEntries(headers);
}

function isSignedByKey(key: VerificationKeys['keys'][number], content: Uint8Array, signature: string): boolean {
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519') return false;
  return verifySignature(null, content, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64'));
}

const isCurrent = (created: number, nowMs: number): boolean => Math.abs(nowMs / 1000 - created) <= toleranceSeconds;

const inputShape = /(sig\d{1,3})=(\([^()]*\);created=(\d{1,12});keyid="([\w-]+)";alg="ed25519")/g;
const signatureShape = /(sig\d{1,3})=:([\w+/=]*):/g;

function verifyMessageSignature(
  headers: Headers,
  body: Uint8Array,
  { keys }: VerificationKeys,
  nowMs: number,
): Verified | undefined {
  const { 'message-type': messageType, 'message-id': messageId, 'topic-id': topicId, subject } = headers;
  if (messageType === undefined || messageId === undefined || topicId === undefined) return undefined;
  const digest = createHash('sha256').update(body).digest('base64');
  if (headers['content-digest'] !== `sha-256=:${digest}:`) return undefined;
  // The signature must cover every header in `covered` that the delivery contains.
  const names = covered.filter((name) => headers[name] !== undefined);
  const lines = names.map((name) => `"${name}": ${headers[name]}\n`).join('');
  const signatures = new Map(
    [...(headers.signature ?? '').matchAll(signatureShape)].map(([, label, signature = '']) => [label, signature]),
  );
  const inputs = [...(headers['signature-input'] ?? '').matchAll(inputShape)].slice(0, maxSignatures);
  for (const [, label, input, createdText, keyid] of inputs) {
    const created = Number(createdText);
    const key = keys.find(({ kid }) => kid === keyid);
    const signature = signatures.get(label);
    if (key === undefined || signature === undefined || !isCurrent(created, nowMs)) continue;
    if (!isSignedByKey(key, Buffer.from(`${lines}"@signature-params": ${input}`), signature)) continue;
    const decoded = subject === undefined ? undefined : decodeURIComponent(subject);
    return { scheme: 'rfc9421', created, messageId, messageType, topicId, subject: decoded };
  }
  return undefined;
}

function isSignedBySecret(secret: string, content: Uint8Array, signature: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(content).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function verifyWebhook(
  headers: Headers,
  body: Uint8Array,
  { keys, secrets = [] }: VerificationKeys,
  nowMs: number,
): Verified | undefined {
  const { 'webhook-id': messageId, 'webhook-timestamp': timestamp = '', 'webhook-signature': list = '' } = headers;
  const created = Number(timestamp);
  if (messageId === undefined || !/^\d{1,12}$/.test(timestamp) || !isCurrent(created, nowMs)) return undefined;
  const content = Buffer.concat([Buffer.from(`${messageId}.${timestamp}.`), body]);
  for (const part of list.split(' ').slice(0, maxSignatures)) {
    const [scheme, signature = ''] = part.split(',');
    if (scheme === 'v1a' && keys.some((key) => isSignedByKey(key, content, signature)))
      return { scheme, created, messageId };
    if (scheme === 'v1' && secrets.some((secret) => isSignedBySecret(secret, content, signature)))
      return { scheme, created, messageId };
  }
  return undefined;
}

/**
 * Verifies a delivery and returns the facts that its signature proves. Returns undefined if the registry did not sign
 * the delivery within the last 300 seconds. Read the message id, type, topic and subject only from the result, because
 * other headers can be forged.
 *
 * Checks the HTTP Message Signature (RFC 9421) if the delivery has one. Otherwise, checks the Standard Webhooks 1.0
 * signatures: `v1a` (Ed25519) and, with `keys.secrets`, `v1` (HMAC-SHA256). Standard Webhooks signatures prove only the
 * message id, the time and the body.
 * @param headers the request headers
 * @param body the bytes of the body exactly as received
 * @param keys the response of `GET /v1/.well-known/jwks.json`
 * @param nowMs the current time in epoch milliseconds
 */
export function verify(
  headers: GivenHeaders,
  body: Uint8Array | string,
  keys: VerificationKeys,
  nowMs: number = Date.now(),
): Verified | undefined {
  const read = readHeaders(headers);
  if (read === undefined) return undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  // Never accept a weaker signature if the delivery has a message signature, because an attacker may have made the
  // message signature invalid.
  const isMessageSigned = read.signature !== undefined || read['signature-input'] !== undefined;
  return isMessageSigned ? verifyMessageSignature(read, bytes, keys, nowMs) : verifyWebhook(read, bytes, keys, nowMs);
}
