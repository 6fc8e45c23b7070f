import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { formatUuid } from '../model/format-uuid.ts';

/** The digest of names that are told apart by their lengths: no two different lists run into the same text. */
function digestOf(hash: Hash | Hmac, names: readonly string[]): Buffer {
  for (const name of names) hash.update(`${Buffer.byteLength(name)}:${name}`);
  return hash.digest();
}

/** The UUID of RFC 9562 version 8 that begins a digest. */
function uuidOf(digest: Buffer): string {
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return formatUuid(bytes);
}

/** A UUID that anybody can compute from the names: RFC 9562 version 8 over SHA-256. */
export const nameUuid = (...names: readonly string[]): string => uuidOf(digestOf(createHash('sha256'), names));

/** A UUID that only who has the key can compute from the names: RFC 9562 version 8 over HMAC-SHA-256. */
export const keyedUuid = (key: Uint8Array, ...names: readonly string[]): string =>
  uuidOf(digestOf(createHmac('sha256', key), names));

/** The HMAC-SHA-256 of names, base64url: what stands for an address where none may be read. */
export const keyedHash = (key: Uint8Array, ...names: readonly string[]): string =>
  digestOf(createHmac('sha256', key), names).toString('base64url');
