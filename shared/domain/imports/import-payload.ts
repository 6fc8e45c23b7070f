import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { bucketEvent } from '../bucket-event.ts';

export const importFile = z.object({
  key: z.string(),
  /**
   * The version id is missing if versioning is not enabled for the bucket. Even then, the object must match the ETag.
   */
  versionId: z.optional(z.string()),
  /** If the bucket has no versioning, the sequencer distinguishes two uploads of the same bytes under one name. */
  sequencer: z.optional(z.string()),
  eTag: z.string(),
  bytes: z.int(),
});
export type ImportFile = z.infer<typeof importFile>;

/** A file from an S3 notification, before the file is read. */
export type NotifiedFile = Pick<ImportFile, 'key' | 'versionId' | 'sequencer'>;

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
const maxKeyBytes = 1024;

/** Returns the key of a file's report. A key that would be too long is shortened and ends with a hash. */
export function reportKey(key: string): string {
  const whole = `${key}.report.json`;
  if (Buffer.byteLength(whole) <= maxKeyBytes) return whole;
  const end = `~${createHash('sha256').update(key).digest('hex').slice(0, 16)}.report.json`;
  const start = Buffer.from(key).subarray(0, maxKeyBytes - end.length);
  return new TextDecoder().decode(start, { stream: true }) + end;
}

const importStep = z.object({
  file: importFile,
  sha256: z.string(),
});
export type ImportStep = z.infer<typeof importStep>;

export const importPayload = z.union([importStep, bucketEvent]);
