import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/**
 * Replaces the beginning of a random UUID with the time and the version. `randomUUID` is fast, because Node creates
 * random UUIDs in batches.
 */
function uuidVersion7(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The clock and the random number generators. Tests replace them. */
export const ambient = {
  /** Epoch milliseconds. */
  now: () => Date.now(),
  /** Returns a version 7 UUID (RFC 9562), which is unique and sorts by time. */
  newId: () => uuidVersion7(Date.now()),
  randomBytes: (count: number): Uint8Array => randomBytes(count),
  /** Returns a random number from 0 to 9. */
  randomDigit: () => randomInt(10),
  /** Returns a random number from 0 to 1, which callers use to spread work over time. */
  jitter: () => Math.random(),
} as const;
