import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { bucketEvent } from '../bucket-event.ts';

/** A version of an object of the bucket, as S3 tells of it. */
export const importFile = z.object({
  key: z.string(),
  /** Missing where the bucket keeps no versions: then the object must still be the one of the ETag. */
  versionId: z.optional(z.string()),
  /** Which put it was: tells two of the same bytes under the same name apart where the bucket keeps no versions. */
  sequencer: z.optional(z.string()),
  /** With its quotation marks. */
  eTag: z.string(),
  bytes: z.int(),
});
export type ImportFile = z.infer<typeof importFile>;

/** A file as S3 tells of it, before anybody has looked. */
export type ToldFile = Pick<ImportFile, 'key' | 'versionId' | 'sequencer'>;

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
const mostKeyBytes = 1024;

/** The key of the object beside a file in which its report lies; of a key that has no room for it, what there is room for. */
export function reportKey(key: string): string {
  const whole = `${key}.report.json`;
  if (Buffer.byteLength(whole) <= mostKeyBytes) return whole;
  const end = `~${createHash('sha256').update(key).digest('hex').slice(0, 16)}.report.json`;
  const start = Buffer.from(key).subarray(0, mostKeyBytes - end.length);
  // Cut between characters.
  return new TextDecoder().decode(start, { stream: true }) + end;
}

/** An import that goes on, or waits for its turn. */
export const importStep = z.object({
  file: importFile,
  /** SHA-256 of the file, in hex. */
  sha256: z.string(),
});
export type ImportStep = z.infer<typeof importStep>;

/** What feeds imports: S3, and an import that goes on. */
export const importPayload = z.union([importStep, bucketEvent]);
