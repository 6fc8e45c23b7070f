import { createHash, createPrivateKey, createPublicKey, createSecretKey, hkdfSync } from 'node:crypto';
import type * as z from 'zod/mini';
import { secretMinutes } from '../../contract/secret-names.ts';
import type { publicKey } from '../../domain/deliveries/public-key.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { memoized } from '../../domain/memoized.ts';
import { dayMs, hourMs } from '../../domain/time.ts';
import type { SecretVersion, SecretVersions } from '../../storage/secrets/store.ts';

export type SigningKey = ReturnType<typeof signingKey>;

// The prefix of an Ed25519 private key in PKCS #8 (RFC 8410 section 7). The 32 bytes of the key follow this prefix.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives 32 bytes with HKDF (RFC 5869), using SHA-256 and no salt. Each purpose yields different bytes. */
const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `identity-registry ${purpose}`, 32));

/** Returns the key id: the JWK thumbprint (RFC 7638) of the members that RFC 8037 section 2 requires. */
export const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

/** Derives the keys of one version of the secret. The same secret always yields the same keys. */
export function signingKey(secret: string) {
  const der = Buffer.concat([pkcs8Head, derive(secret, 'ed25519')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const jwk: z.infer<typeof publicKey> = {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid: thumbprint(x),
    alg: 'EdDSA',
    use: 'sig',
  };
  // The HMAC key is used for the signatures `v1` of Standard Webhooks.
  return { privateKey, publicKey: jwk, hmacKey: createSecretKey(derive(secret, 'hmac')) };
}

export interface KeyringOptions {
  readonly versions: () => Promise<SecretVersions>;
  readonly overlapDays: number;
  readonly now: () => number;
  /** Called if the secret cannot be read again, at most once every five minutes. */
  readonly onError: (fault: InternalError) => void;
}

/** Returns the key versions that are valid at `now` (epoch milliseconds), with the current version first. */
export function validVersions(
  { current, previous }: SecretVersions,
  overlapDays: number,
  now: number,
): SecretVersion[] {
  const isOverlap = now < current.createdAt + overlapDays * dayMs;
  return previous !== undefined && isOverlap ? [current, previous] : [current];
}

/**
 * Returns a function that returns the valid keys. The function refreshes the keys in the background every five minutes.
 * Keys that are an hour old are refreshed before they are returned. Old keys are kept while the secret cannot be read.
 * @throws if the secret has never been read successfully
 */
export function keyring({ versions, overlapDays, now, onError }: KeyringOptions): () => Promise<readonly SigningKey[]> {
  const keyOf = memoized(signingKey);
  let known: SecretVersions | undefined;
  let reading: Promise<void> | undefined;
  let readAt = 0;

  async function read(): Promise<void> {
    try {
      known = await versions();
    } catch (error) {
      if (known === undefined) throw error;
      onError(new InternalError('staleSecret', { secret: 'signing' }, error));
    }
    readAt = now();
  }

  return async () => {
    if (known === undefined || now() - readAt >= secretMinutes * 60_000) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      // A function instance that was idle for a long time may have keys that receivers no longer accept.
      if (known === undefined || now() - readAt >= hourMs) await reading;
    }
    return known === undefined ? [] : validVersions(known, overlapDays, now()).map(({ text }) => keyOf(text));
  };
}
