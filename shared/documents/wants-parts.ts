import Negotiator from 'negotiator';

const multipart = 'multipart/mixed';

/**
 * Whether a caller would rather have a multipart than the one file that it would hold (RFC 9110 section 12.5.1): not where the
 * file's own media type is accepted with the same weight or more, and named as exactly and first.
 * @param accept the header as it came
 */
export const wantsParts = (accept: string | undefined, mediaType: string): boolean =>
  new Negotiator({ headers: { accept } }).mediaType([mediaType, multipart]) === multipart;
