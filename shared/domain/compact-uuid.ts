/** A UUID's 16 bytes in base64url: 22 characters. */
export const compactUuid = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

/** The UUID of 22 base64url characters, in its canonical form. */
export const expandUuid = (compact: string): string =>
  Buffer.from(compact, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
