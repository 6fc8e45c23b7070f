import { Readable } from 'node:stream';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { hashOfFile } from '../../../shared/domain/imports/file-name.ts';
import { reportKey } from '../../../shared/domain/imports/import-payload.ts';
import type { ImportCounts } from '../../../shared/domain/imports/import-state.ts';
import type { LineRejection } from '../../../shared/domain/imports/parse-change.ts';
import { regionOf } from '../../settings/region.ts';
import { type LocalOutputs, outputsOf } from '../aws/template/outputs.ts';

export interface ImportTarget {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly keepsVersions: boolean;
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly addressOf: (key: string) => string;
}

/** Finds the stack `StackName` on AWS, using the default credentials and Region. */
export async function awsTarget(StackName: string): Promise<ImportTarget> {
  const cloudformation = new CloudFormationClient({});
  await regionOf(cloudformation);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  const outputOf = (name: string): string => {
    const value = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`the stack ${StackName} has no output ${name}. Deploy the stack again.`);
    return value;
  };
  const [bucket, table] = [outputOf('documentsBucket'), outputOf('personsTable')];
  const addressOf = (key: string): string => `s3://${bucket}/${key}`;
  return {
    ...{ s3: new S3Client({}), bucket, keepsVersions: true, addressOf },
    ...{ dynamodb: new DynamoDBClient({}), table },
  };
}

export function targetOf({ s3Endpoint, dynamodbEndpoint, resources }: LocalOutputs): ImportTarget {
  const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const bucket = String(resources.buckets.documents);
  return {
    s3: new S3Client({ ...local, endpoint: s3Endpoint, forcePathStyle: true }),
    ...{ bucket, keepsVersions: false },
    dynamodb: new DynamoDBClient({ ...local, endpoint: dynamodbEndpoint }),
    table: String(resources.tables.persons),
    addressOf: (key) => `${s3Endpoint}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
  };
}

/** @param port the port of the local stack, if several stacks are running */
export const localTarget = async (port: string | undefined): Promise<ImportTarget> => targetOf(await outputsOf(port));

export interface Report extends ImportCounts {
  readonly sha256: string;
  readonly versionId?: string;
  readonly unreadable?: string;
  /**
   * The result of an earlier import of the same content. For a repeated file, `rejectedLines` also comes from the
   * earlier import.
   */
  readonly repeats?: ImportCounts & { readonly file: string; readonly begunAt: string; readonly unreadable?: string };
  readonly rejectedLines: readonly (LineRejection & { readonly line: number })[];
}

interface ImportBucket {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly keepsVersions: boolean;
}

interface UploadedFile {
  readonly key: string;
  readonly sha256: string;
  readonly versionId: string | undefined;
}

/** @param onPart called with the number of bytes uploaded so far */
async function upload(
  key: string,
  body: Readable,
  { s3, bucket: Bucket, keepsVersions }: ImportBucket,
  onPart = (_bytes: number) => {},
): Promise<UploadedFile> {
  // Without bucket versioning, the report on an earlier file with the same key could be mistaken for the new report.
  if (!keepsVersions) await s3.send(new DeleteObjectCommand({ Bucket, Key: reportKey(key) }));
  const hash = hashOfFile(key);
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

/** Returns the report on an import file; undefined until the report exists. */
async function reportOf(
  { key, sha256, versionId }: UploadedFile,
  { s3, bucket }: ImportBucket,
): Promise<Report | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: reportKey(key) }));
    const report = JSON.parse((await Body?.transformToString()) ?? '{}') as Report;
    // In a report on an unreadable file, the hash is empty.
    const isOfBytes = report.sha256 === sha256 || report.sha256 === '';
    return (versionId === undefined ? isOfBytes : report.versionId === versionId) ? report : undefined;
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}

interface ImportCallbacks {
  readonly onPart?: (bytes: number) => void;
  /** Called repeatedly until the report exists, or until this function throws an error. */
  readonly pause: (sha256: string) => Promise<unknown>;
}

export async function importFile(
  key: string,
  body: Readable,
  taking: ImportBucket,
  { onPart, pause }: ImportCallbacks,
): Promise<Report> {
  const file = await upload(key, body, taking, onPart);
  for (;;) {
    const report = await reportOf(file, taking);
    if (report !== undefined) return report;
    await pause(file.sha256);
  }
}
