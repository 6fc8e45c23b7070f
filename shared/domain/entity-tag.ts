import { createHash } from 'node:crypto';

/**
 * Returns a strong entity tag (RFC 9110, 8.8.3). The arguments must include everything that determines the content of
 * the response.
 */
export const entityTag = (...makes: readonly (string | number | boolean | undefined)[]): string =>
  `"${createHash('sha256').update(JSON.stringify(makes)).digest('base64url').slice(0, 27)}"`;

/** Returns whether an `If-None-Match` header contains the entity tag (RFC 9110, 13.1.2: weak comparison). */
export const isNoneMatch = (header: string, tag: string): boolean =>
  header
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);
