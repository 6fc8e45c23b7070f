import { randomBytes, randomUUID } from 'node:crypto';

/** The clock and the random number generators. Tests replace them. */
export interface Ambient {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns a version 7 UUID (RFC 9562), which is unique and sorts by time. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns a random number from 0 to 1, which callers use to spread work over time. */
  readonly jitter: () => number;
}

/**
 * Replaces the beginning of a random UUID with the time and the version. `randomUUID` is fast, because Node creates
 * random UUIDs in batches.
 */
function uuidVersion7(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export const ambient: Ambient = {
  now: () => Date.now(),
  newId: () => uuidVersion7(Date.now()),
  randomBytes: (count) => randomBytes(count),
  jitter: () => Math.random(),
};
