import { inAws } from './in-aws.ts';
import { inBucket } from './in-bucket.ts';
import { inQueues } from './in-queues.ts';
import { inTables } from './in-tables.ts';
import type { Kept } from './kept.ts';

/** Everything that is stored, by place. Tests hold it against the contract, the template, and what functions store. */
export const retention: readonly Kept[] = [...inTables, ...inBucket, ...inQueues, ...inAws];
