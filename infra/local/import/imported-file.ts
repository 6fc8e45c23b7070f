import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { reportKey } from '../../../shared/domain/imports/import-payload.ts';
import type { ImportCounts } from '../../../shared/domain/imports/import-state.ts';
import type { LineRefusal } from '../../../shared/model/imports/change.ts';

/** What the registry says of a file of changes. */
export interface Report extends ImportCounts {
  readonly sha256: string;
  readonly versionId?: string;
  readonly unreadable?: string;
  /** What became of the same bytes before; the lines are listed that were refused then. */
  readonly repeats?: ImportCounts & { readonly file: string; readonly begunAt: string; readonly unreadable?: string };
  readonly refusedLines: readonly (LineRefusal & { readonly line: number })[];
}

/** A bucket that takes files of changes. */
interface Taking {
  readonly s3: S3Client;
  readonly bucket: string;
  /** Whether it tells one version of a file from another. */
  readonly keepsVersions: boolean;
}

/** A file that was put there. */
interface Put {
  readonly key: string;
  readonly sha256: string;
  readonly versionId: string | undefined;
}

/** @param onPart hears how many bytes are there by now */
async function put(
  key: string,
  body: Readable,
  { s3, bucket: Bucket, keepsVersions }: Taking,
  onPart = (_bytes: number) => {},
): Promise<Put> {
  // The report of the file that was called so before would be taken for this one's.
  if (!keepsVersions) await s3.send(new DeleteObjectCommand({ Bucket, Key: reportKey(key) }));
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      hash.update(part);
      yield part;
    }
  }
  const Body = Readable.from(hashed(), { objectMode: false });
  const uploading = new Upload({ client: s3, params: { Bucket, Key: key, Body } });
  uploading.on('httpUploadProgress', ({ loaded = 0 }) => onPart(loaded));
  const { VersionId: versionId } = await uploading.done();
  return { key, sha256: hash.digest('hex'), versionId: keepsVersions ? versionId : undefined };
}

/** The report of a file; undefined where there is none yet, or one of another file that is called so. */
async function reportOf({ key, sha256, versionId }: Put, { s3, bucket }: Taking): Promise<Report | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: reportKey(key) }));
    const report = JSON.parse((await Body?.transformToString()) ?? '{}') as Report;
    // Of a file that was not read there is none.
    const isOfBytes = report.sha256 === sha256 || report.sha256 === '';
    return (versionId === undefined ? isOfBytes : report.versionId === versionId) ? report : undefined;
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** What whoever waits for a report does meanwhile. */
interface Waiting {
  readonly onPart?: (bytes: number) => void;
  /** Called again and again until the report is there; one that throws gives up. */
  readonly pause: (sha256: string) => Promise<unknown>;
}

/** Puts a file where the registry takes it from, and waits for its report. */
export async function importFile(
  key: string,
  body: Readable,
  taking: Taking,
  { onPart, pause }: Waiting,
): Promise<Report> {
  const file = await put(key, body, taking, onPart);
  for (;;) {
    const report = await reportOf(file, taking);
    if (report !== undefined) return report;
    await pause(file.sha256);
  }
}
