import { inBucket } from '../docs/retention/in-bucket.ts';
import { inQueues } from '../docs/retention/in-queues.ts';
import { inAws } from './in-aws.ts';
import { inTables } from './in-tables.ts';
import type { Kept } from './kept.ts';

/** Everything that is stored, by place. Tests hold it against the contract, the template, and what functions store. */
export const retention: readonly Kept[] = [...inTables, ...inBucket, ...inQueues, ...inAws];
