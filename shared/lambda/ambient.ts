import { randomBytes, randomUUID } from 'node:crypto';

/** Time and randomness, the only impure values. Tests replace them. */
export interface Ambient {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A UUID version 7 (RFC 9562), which is unique and ascends with time. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  /** A random number from 0 to 1, to spread work over time. */
  readonly jitter: () => number;
}

/** Replaces the start of a random UUID with the time and the version. Fast, because Node makes UUIDs in batches. */
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
