import { nameOfHour } from './exported-hours.ts';
import { shards } from './journal-keys.ts';

/** What was exported of an hour in one piece: some of its shards, from the first to the last of them. */
export interface PartOfHour {
  readonly first: number;
  readonly last: number;
  /** What else is known of it, such as how many rows it has: texts without `-` and `.`. */
  readonly told: readonly string[];
}

const shardText = (shard: number): string => String(shard).padStart(2, '0');

/** What the names of all parts of an hour begin with: `2026/11/22/05-`. */
export const namesOfParts = (hour: string): string => `${nameOfHour(hour)}-`;

/** The name of a part without what the file is: `2026/11/22/05-00-17-120`, of the shards 0 to 17, and what is told of it. */
export const nameOfPart = (hour: string, { first, last, told }: PartOfHour): string =>
  `${namesOfParts(hour)}${[shardText(first), shardText(last), ...told].join('-')}`;

/** What a name says, if it is that of a part: a file that somebody else has put there must not stand for shards. */
function partOf(name: string, toldPattern: RegExp): PartOfHour[] {
  const [, first = '', last = '', told = ''] = /\/\d\d-(\d\d)-(\d\d)-(.+)$/.exec(name) ?? [];
  if (!toldPattern.test(told) || first > last || Number(last) >= shards.length) return [];
  return [{ first: Number(first), last: Number(last), told: told.replace(/\..*/, '').split('-') }];
}

/**
 * The parts by their names that together have every shard once, from the first one on, as far as there are any. Of two that
 * begin alike, which two runs at the same time may have written, the one that reaches further counts.
 * @param toldPattern of what the names of parts say after their shards, to the end
 */
export function partsBy(names: readonly string[], toldPattern: RegExp): PartOfHour[] {
  const chain: PartOfHour[] = [];
  const parts = names
    .flatMap((name) => partOf(name, toldPattern))
    .toSorted((one, other) => one.first - other.first || other.last - one.last);
  for (const part of parts) {
    if (part.first === shardAfter(chain)) chain.push(part);
  }
  return chain;
}

/** The shard that comes after all of these parts. */
export const shardAfter = (parts: readonly PartOfHour[]): number => (parts.at(-1)?.last ?? -1) + 1;
