import type { Schema } from '../contract/reply.ts';
import { Refusal, type RefusalName } from '../model/refusals.ts';

/** Where a value of a request stands. */
export type Place = 'query' | 'path' | 'headers' | 'body';

/** A value by its name and place, as a refusal says it: `limit in the query`; what is in the body is named by its path there. */
const nameIn = (place: Place, name: string): string => (place === 'body' ? name : `${name} in the ${place}`);

const refusalIn = {
  ...{ query: 'invalidParameter', path: 'invalidParameter' },
  ...{ headers: 'invalidParameter', body: 'invalidBody' },
} as const satisfies Record<Place, RefusalName>;

/**
 * Reads one value of a request by its schema.
 * @throws Refusal `missingParameter`, `invalidParameter` or `invalidBody`, which names the value, where it stands and how to mend it
 */
export function readValue(place: Place, name: string, schema: Schema, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (value === undefined) throw new Refusal('missingParameter', `${name} is required in the ${place}`);
  const issue = parsed.error.issues[0];
  const field = [name, ...(issue?.path ?? [])].join('.');
  throw new Refusal(refusalIn[place], `${nameIn(place, field)} ${issue?.message ?? 'is not acceptable'}`);
}

/**
 * Functions get text that was decoded before them, in which U+FFFD stands for bytes that were not UTF-8 (`%E9` of Latin-1).
 * What it was nobody knows: a search for it would find nobody.
 * @throws Refusal `invalidParameter`
 */
export function refuseUnreadable(place: Place, name: string, value: string): void {
  if (!value.includes('\ufffd')) return;
  const mend = 'encode it in UTF-8 (é is %C3%A9, not %E9)';
  throw new Refusal(
    'invalidParameter',
    `${nameIn(place, name)} is not UTF-8, or holds U+FFFD, which stands for what is not: ${mend}`,
  );
}
