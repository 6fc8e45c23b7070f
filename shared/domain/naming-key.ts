import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The purpose of a key. Values computed with one key reveal nothing about values computed with another key. */
type NamingPurpose = 'subscription ids' | 'limits' | 'stop-requests links' | 'retired UINs';

/**
 * Derives the 32-byte key for one purpose (RFC 5869) from the `naming` secret, for `keyedUuid` and `keyedHash`. Without
 * the secret, an attacker who knows an address or a UIN cannot compute its id or hash.
 */
export const namingKey = (secret: string, purpose: NamingPurpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `identity-registry ${purpose}`, 32)));
