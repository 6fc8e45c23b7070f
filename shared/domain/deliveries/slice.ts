import { bucketOf } from './plan-tasks.ts';

// As powers of two.
const bucketsPerSlice = 5;
const mostSlices = 6;

/**
 * How many partitions of the ledger a message's rows are spread over: one for each 32 buckets, at most 64.
 *
 * DynamoDB takes 1,000 writes (of 1 KB) a second under one key; no key is to take more than half of that. By default a bucket
 * has 10 to 20 receivers. At 10,000 receivers a second and 10 in each, that is 1,000 tasks, of 1 write to claim and 2 to record
 * (about 120 bytes an outcome): 3,000. Where 3 % of the receivers fail, 26 % of the tasks have one, so that they are recorded in
 * a transaction, which costs twice, and written once more when what follows is done: 1,000 more; and 300 rows of their own
 * cost 2 to open, 1 to claim, 1 to record and 1 for what follows: 1,500. In all 5,500 a second (buckets of 20: 4,900; of 5, a
 * setting of 10: 6,100). Sixteen keys would take that, 350 each, but a partition takes 1,000 as well, and chance lays four of 16
 * keys into one of a dozen; of 64 keys, 86 each, it lays about ten there. Fewer than 32 buckets have at most 640 receivers:
 * 350 writes under their one key, were all of them reached within one second.
 */
export const slicesOf = (bits: number): number => 2 ** Math.min(mostSlices, Math.max(0, bits - bucketsPerSlice));

/** The slice of a bucket, by its lowest bits: buckets that follow one another lie apart, so that slices warm evenly. */
export const sliceOfBucket = (bucket: number, bits: number): number => bucket % slicesOf(bits);

/** The slice of a subscription's rows, in a message that is cut by so many bits: that of its bucket. */
export const sliceOf = (uuid: string, bits: number): number => sliceOfBucket(bucketOf(uuid, bits), bits);
