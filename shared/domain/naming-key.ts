import { hkdfSync } from 'node:crypto';

/** What names and hashes of addresses are made for. What is made for one purpose says nothing about another's. */
type NamingPurpose = 'subscription ids' | 'limits' | 'never-ask links';

/**
 * The key of one purpose (RFC 5869), derived from the secret `naming`: 32 bytes for `keyedUuid` and `keyedHash`. Whoever
 * knows an address cannot compute what stands for it, and nobody can look for addresses with a certain one.
 */
export const namingKey = (secret: string, purpose: NamingPurpose): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `identity-registry ${purpose}`, 32));
