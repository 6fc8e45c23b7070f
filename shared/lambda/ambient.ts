import { randomBytes } from 'node:crypto';
import { formatUuid } from '../model/format-uuid.ts';

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

function uuidVersion7(now: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  random.copy(bytes, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return formatUuid(bytes);
}

export const ambient: Ambient = {
  now: () => Date.now(),
  newId: () => uuidVersion7(Date.now(), randomBytes(10)),
  randomBytes: (count) => randomBytes(count),
  jitter: () => Math.random(),
};
