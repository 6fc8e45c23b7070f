import { createHash } from 'node:crypto';
import { formatUuid } from '../model/format-uuid.ts';

/**
 * A UUID that is a function of names: RFC 9562 version 8 over SHA-256. The names are told apart by their lengths, so
 * that no two different lists run into the same text.
 */
export function nameUuid(...names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${Buffer.byteLength(name)}:${name}`);
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return formatUuid(bytes);
}
