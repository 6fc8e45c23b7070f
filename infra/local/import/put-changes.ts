import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { buckets } from '../../../shared/contract/buckets.ts';
import type { Change } from '../demo/life/occurrence.ts';
import { waitFor } from '../demo/wait-for.ts';
import type { LocalOutputs } from '../template/outputs.ts';

/** What the registry tells of a file of changes. */
interface Report {
  readonly lines: number;
  readonly refused: number;
}

/**
 * Puts changes into a file where the registry takes it from, and waits for its report.
 * @throws Error where a line was refused, or none was told of
 */
export type Import = (name: string, changes: readonly Change[]) => Promise<void>;

const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes((error as Error).name);

export function createImporter({ s3Endpoint, resources }: LocalOutputs): Import {
  const credentials = { accessKeyId: 'demo', secretAccessKey: 'demo' };
  const client = new S3Client({ endpoint: s3Endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  const Bucket = resources.buckets.documents;

  async function read(Key: string): Promise<Report | undefined> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return JSON.parse((await Body?.transformToString()) ?? '');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return async (name, changes) => {
    if (changes.length === 0) return;
    const Key = `${buckets.documents.imports}${name}.ndjson`;
    const Body = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
    await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/x-ndjson' }));
    const report = await waitFor(`the report of ${name}`, () => read(`${Key}.report.json`), { withinMs: 300_000 });
    if (report.refused > 0 || report.lines !== changes.length) {
      throw new Error(
        `of the ${changes.length} changes of ${name} ${report.lines} were read and ${report.refused} refused`,
      );
    }
  };
}
