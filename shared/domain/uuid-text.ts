import { formatUuid } from '../model/format-uuid.ts';

/** A UUID's 16 bytes in base64url: 22 characters. */
export const compactUuid = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');

/** The UUID of 22 base64url characters, in its canonical form. */
export const expandUuid = (compact: string): string => formatUuid(Buffer.from(compact, 'base64url'));
