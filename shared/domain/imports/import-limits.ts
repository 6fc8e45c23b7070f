import { workTimes } from '../deliveries/times.ts';
import type { Change } from './parse-change.ts';

/**
 * The number of table writes of a change, without index writes. A row in a transaction counts as two writes (Amazon
 * DynamoDB Developer Guide, "Read/write capacity mode").
 */
export function writeCost(change: Change): number {
  const mark = change.id === undefined ? 0 : 1;
  switch (change.change) {
    case 'register': {
      const rows = change.uin === undefined ? 2 : 1 + mark;
      return rows === 1 ? 1 : 2 * rows;
    }
    case 'update':
      return mark === 0 ? 1 : 4;
    case 'remove':
      return 2 * (2 + mark);
    case 'merge':
      return 2 * (1 + 2 * change.duplicates.length + mark);
  }
}

// Documents are listed, copied and removed one call at a time. A chunk of such lines must also finish within one run.
const weightOfDocuments = 100;

/** The number of lines that a change counts as, toward the limit of a chunk. */
export function lineWeight(change: Change): number {
  if (change.change === 'merge') return weightOfDocuments * change.duplicates.length;
  return change.change === 'remove' ? weightOfDocuments : 1;
}

const [kib, mib] = [1024, 1024 * 1024];

export const importTimes = workTimes(120);

export const importLimits = {
  /** Longer than all attributes at their maximum length with every character escaped. */
  lineBytes: 256 * kib,
  /** One run must be able to hash the whole file. */
  fileBytes: 1024 * mib,
  blockBytes: mib,
  /** The size of one read during hashing. Larger, because each GET has a delay. */
  hashedBytes: 16 * mib,
  chunkLines: 5000,
  chunkBytes: mib,
  /** The report lists at most this many rejected lines; otherwise a wrong file would produce a report many times its size. */
  listedLines: 10_000,
  personsAtOnce: 32,
  /** How long a change is recognized by its `id`; also the minimum lifetime of tombstones. */
  markDays: 90,
} as const;
