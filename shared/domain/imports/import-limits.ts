import { workTimes } from '../deliveries/times.ts';
import type { Change } from './parse-change.ts';

/**
 * Returns the number of table writes for a change, excluding index writes. A row in a transaction counts as two writes
 * (Amazon DynamoDB Developer Guide, "Read/write capacity mode").
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
      return 2 * (3 + mark);
    case 'merge':
      return 2 * (1 + 3 * change.duplicates.length + mark);
  }
}

// A removal lists and deletes documents one call at a time. Because of this weight, a chunk of removals finishes within
// one run.
const weightOfRemoval = 100;

/** Returns the number of lines that a change counts as towards the chunk limit. */
export const lineWeight = ({ change }: Change): number => (change === 'remove' ? weightOfRemoval : 1);

const [kib, mib] = [1024, 1024 * 1024];

export const importTimes = workTimes(120);

export const importLimits = {
  /** A line has room for all attributes at their maximum length, with every character escaped. */
  lineBytes: 256 * kib,
  /** A single run must be able to hash the whole file. */
  fileBytes: 1024 * mib,
  blockBytes: mib,
  /**
   * The number of bytes per read during hashing. The number is larger than `blockBytes`, because every GET request adds
   * latency.
   */
  hashedBytes: 16 * mib,
  /** The numbers of lines and bytes after which the progress of the checking pass is stored. */
  checkedLines: 20_000,
  checkedBytes: 16 * mib,
  chunkLines: 5000,
  chunkBytes: mib,
  /**
   * The maximum number of rejected lines in a report. The limit keeps the report short if most lines contain errors.
   */
  listedLines: 10_000,
  personsAtOnce: 32,
  /**
   * The number of days for which a change is recognised by its `id`. The rows of removed persons are kept for the same
   * number of days.
   */
  markDays: 90,
} as const;
