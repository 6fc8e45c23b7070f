import { hkdfSync } from 'node:crypto';

/** What a key is for. Values for one purpose reveal nothing about the values for another. */
type NamingPurpose = 'subscription ids' | 'limits' | 'stop-requests links';

/**
 * Derives the key for one purpose (RFC 5869) from the secret `naming`: 32 bytes for `keyedUuid` and `keyedHash`.
 * Without the secret, the values of known addresses cannot be computed.
 */
export const namingKey = (secret: string, purpose: NamingPurpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `identity-registry ${purpose}`, 32));
