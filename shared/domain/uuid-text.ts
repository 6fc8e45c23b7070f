/** Formats 16 bytes as a UUID in canonical form (RFC 9562 section 4). */
export const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Encodes the 16 bytes of a UUID as 22 base64url characters. */
export const compactUuid = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

/** Converts 22 base64url characters to a UUID in canonical form. */
export const expandUuid = (compact: string): string => formatUuid(Buffer.from(compact, 'base64url'));
