/** Returns the canonical text of a UUID from its 16 bytes (RFC 9562 section 4). */
export const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns the 16 bytes of a UUID as 22 characters of base64url. */
export const compactUuid = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

/** Returns the canonical UUID from 22 characters of base64url. */
export const expandUuid = (compact: string): string => formatUuid(Buffer.from(compact, 'base64url'));
