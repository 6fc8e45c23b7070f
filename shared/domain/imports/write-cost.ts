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
