/** The canonical text of the 16 bytes of a UUID (RFC 9562 section 4). */
export const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The 16 bytes of a UUID as 22 characters of base64url. */
export const compactUuid = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

/** The canonical UUID of 22 base64url characters. */
export const expandUuid = (compact: string): string => formatUuid(Buffer.from(compact, 'base64url'));
