import type { Schema } from '../contract/reply-schemas.ts';
import { ClientError } from '../domain/client-errors.ts';
import { firstIssue } from '../domain/first-issue.ts';

type Place = 'query' | 'path' | 'headers' | 'body';

/** Returns the name of a value for error messages, such as `limit in the query` or the path of a body field. */
const nameIn = (place: Place, name: string): string => (place === 'body' ? name : `${name} in the ${place}`);

/**
 * Parses one value of a request.
 * @throws ClientError `missingParameter`, `invalidParameter` or `invalidBody`, which names the value and explains how
 * to correct it
 */
export function readValue(place: Place, name: string, schema: Schema, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (value === undefined) throw new ClientError('missingParameter', `${name} is required in the ${place}`);
  const { path, message } = firstIssue(parsed.error);
  const field = [name, ...path].join('.');
  const refusal = place === 'body' ? 'invalidBody' : 'invalidParameter';
  throw new ClientError(refusal, `${nameIn(place, field)} ${message}`);
}

/**
 * Rejects text with U+FFFD. API Gateway replaces bytes that are not UTF-8 (`%E9` in Latin-1) with U+FFFD, so the
 * original text is lost.
 * @throws ClientError `invalidParameter`
 */
export function rejectReplacementCharacters(place: Place, name: string, value: string): void {
  if (!value.includes('\ufffd')) return;
  const mend = 'encode it in UTF-8 (é is %C3%A9, not %E9)';
  throw new ClientError(
    'invalidParameter',
    `${nameIn(place, name)} is not UTF-8, or contains the replacement character U+FFFD: ${mend}`,
  );
}
