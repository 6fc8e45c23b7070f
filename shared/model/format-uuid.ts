/** The canonical text of a UUID's 16 bytes: lower-case hex, cut by four hyphens (RFC 9562 section 4). */
export const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
