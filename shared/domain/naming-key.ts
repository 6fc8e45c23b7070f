import { hkdfSync } from 'node:crypto';

/** The purpose of a key. Values made with one key reveal nothing about values made with another key. */
type NamingPurpose = 'subscription ids' | 'limits' | 'stop-requests links';

/**
 * Derives the key for one purpose (RFC 5869) from the secret `naming`: 32 bytes for `keyedUuid` and `keyedHash`.
 * Without the secret, nobody can compute the values for known addresses.
 */
export const namingKey = (secret: string, purpose: NamingPurpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `identity-registry ${purpose}`, 32));
