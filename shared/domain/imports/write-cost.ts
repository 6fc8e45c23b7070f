import type { Change } from './parse-change.ts';

/**
 * How many writes of the table a change takes, without those of its indexes: one, and two for each row of what must hold
 * together (Amazon DynamoDB Developer Guide, "Read/write capacity mode", transactions).
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

// Its documents are listed, copied and removed one call after the other: a chunk of such lines must end in a run's time, too.
const weightOfDocuments = 100;

/** As how many lines a change counts toward the most of a chunk. */
export function lineWeight(change: Change): number {
  if (change.change === 'merge') return weightOfDocuments * change.duplicates.length;
  return change.change === 'remove' ? weightOfDocuments : 1;
}
