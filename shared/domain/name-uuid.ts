import { createHash, createHmac, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import { formatUuid } from './uuid-text.ts';

/**
 * Returns the digest of a list of names. Each name is prefixed with its length, so that different lists never produce
 * the same input.
 */
function digestOf(hash: Hash | Hmac, names: readonly string[]): Buffer {
  for (const name of names) hash.update(`${Buffer.byteLength(name)}:${name}`);
  return hash.digest();
}

/** Returns a version 8 UUID (RFC 9562) made from the first 16 bytes of a digest. */
function uuidOf(digest: Buffer): string {
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return formatUuid(bytes);
}

/** Returns a UUID that anyone can compute from the names: version 8 (RFC 9562) with SHA-256. */
export const nameUuid = (...names: readonly string[]): string => uuidOf(digestOf(createHash('sha256'), names));

/** Returns a UUID that cannot be computed without the key: version 8 (RFC 9562) with HMAC-SHA-256. */
export const keyedUuid = (key: KeyObject, ...names: readonly string[]): string =>
  uuidOf(digestOf(createHmac('sha256', key), names));

/** Returns the HMAC-SHA-256 of names in base64url. The hash can be stored in place of a readable name or address. */
export const keyedHash = (key: KeyObject, ...names: readonly string[]): string =>
  digestOf(createHmac('sha256', key), names).toString('base64url');
