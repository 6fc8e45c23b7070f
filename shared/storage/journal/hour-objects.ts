import type { S3Client } from '@aws-sdk/client-s3';
import { nameOfHour } from '../../domain/journal/exported-hours.ts';
import { listObjects } from '../documents/objects.ts';
import { lookInto } from './look-into.ts';
import { putLocked } from './put-locked.ts';

/** What an export writes of hours below a prefix, after which all names come that are given and answered. */
export const hourObjects = (client: S3Client, bucket: string, prefix: string) => {
  const keyOf = (name: string): string => `${prefix}${name}`;
  const put = (name: string, body: Uint8Array): Promise<void> => putLocked(client, bucket, keyOf(name), body);
  return {
    keyOf,
    put,
    /** Says that an hour (`2026-11-22T05`, UTC) is whole, and what it has. */
    putManifest: (hour: string, told: object): Promise<void> => {
      const manifest = JSON.stringify({ hour: `${hour}:00:00Z`, ...told }, null, 2);
      return put(`${nameOfHour(hour)}.json`, Buffer.from(`${manifest}\n`));
    },
    /** What there is whose name begins so: of a folder, such as `2026/11/22/`, or of an hour in it. */
    look: lookInto(client, bucket, prefix),
  };
};

/** Opens the connection over which an export writes below a prefix. */
export const primeBelow =
  (prefix: string) =>
  async (client: S3Client, bucket: string): Promise<void> => {
    await listObjects(client, bucket, `${prefix}-/`);
  };
