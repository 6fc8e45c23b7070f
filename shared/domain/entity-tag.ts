import { createHash } from 'node:crypto';

/** A strong entity tag (RFC 9110, 8.8.3): equal exactly when everything that makes the answer is equal. */
export const entityTag = (...makes: readonly (string | number | boolean | undefined)[]): string =>
  `"${createHash('sha256').update(JSON.stringify(makes)).digest('base64url').slice(0, 27)}"`;

/** Whether an `If-None-Match` header names this tag (RFC 9110, 13.1.2: by weak comparison). */
export const isNoneMatch = (header: string, tag: string): boolean =>
  header
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);
