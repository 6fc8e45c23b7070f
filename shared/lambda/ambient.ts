import { randomBytes, randomUUID } from 'node:crypto';

/** The only impure values: handlers and the delivery engine take them from here, tests give their own. */
export interface Ambient {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A UUID version 7 (RFC 9562): unique, and ascending with time. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  /** A number from 0 to 1, for spreading work over time. */
  readonly jitter: () => number;
}

/** From 48 bits of time on, version 7 is random where version 4 is, of which Node keeps some in stock. */
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
