import { workTimes } from '../deliveries/times.ts';

const [kib, mib] = [1024, 1024 * 1024];

/** The times of the function: a million lines are some of its runs. */
export const importTimes = workTimes(120);

export const importLimits = {
  /** More than the longest values of all attributes take, each character written as an escape. */
  lineBytes: 256 * kib,
  /** Its hash is taken before anything else, in one run. */
  fileBytes: 1024 * mib,
  /** What is read at once. */
  blockBytes: mib,
  /** The same, while the hash is taken: a GET takes a while to begin. */
  hashedBytes: 16 * mib,
  /** After so many lines at the latest the cursor is written. */
  chunkLines: 5000,
  chunkBytes: mib,
  /** Of the lines that are refused, so many stand in the report: a file of anything else would make one of many times its size. */
  listedLines: 10_000,
  /** Persons who are worked on side by side. */
  personsAtOnce: 32,
  /** How long a change is known by its `id`, and for how long at least it is remembered who is gone. */
  markDays: 90,
} as const;
