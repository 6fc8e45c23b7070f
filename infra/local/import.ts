import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { bucketNotifications, buckets } from '../../shared/contract/buckets.ts';
import { importLimits } from '../../shared/domain/imports/import-limits.ts';
import { type ImportCounts, importRowId, importState } from '../../shared/model/imports/import-state.ts';
import { createPaint } from './console/terminal.ts';
import { createBar } from './import/bar.ts';
import { type Place, placeHere, placeOnAws } from './import/place.ts';

// Puts a file of changes into the bucket, on the laptop or on AWS, and prints what became of it.

const suffixes = bucketNotifications.documents.find(({ queue }) => queue === 'imports')?.suffixes ?? [];
const usage = `npm run import -- FILE [--port N] [--stack NAME]

  FILE          changes of persons, a line each, as infra/RUNBOOK.md says: ${suffixes.join(' or ')}
  --port N      the laptop's stack with this port, where several run
  --stack NAME  the stack of this name on AWS, by the credentials and region of the AWS tools`;

interface Report extends ImportCounts {
  readonly sha256: string;
  readonly unreadable?: string;
  readonly repeats?: { readonly file: string; readonly begunAt: string };
}

const bar = createBar(process.stderr);

/** Puts the file into the bucket; answers its SHA-256. */
async function upload(file: string, Key: string, { s3, bucket }: Place): Promise<string> {
  const { size } = statSync(file);
  if (size === 0) throw new Error(`${file} is empty`);
  if (size > importLimits.fileBytes) {
    throw new Error(`${file} has more than ${importLimits.fileBytes} bytes: put it in several files`);
  }
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Uint8Array);
  const sending = new Upload({ client: s3, params: { Bucket: bucket, Key, Body: createReadStream(file) } });
  sending.on('httpUploadProgress', ({ loaded = 0 }) => bar.show('uploaded', loaded / size));
  await sending.done();
  return hash.digest('hex');
}

async function reportOf(Key: string, sha256: string, { s3, bucket }: Place): Promise<Report | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${Key}.report.json` }));
    const report = JSON.parse((await Body?.transformToString()) ?? '{}') as Report;
    return report.sha256 === sha256 ? report : undefined;
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** Waits until the file is imported, however long that takes. */
async function follow(Key: string, sha256: string, place: Place): Promise<Report> {
  for (;;) {
    const report = await reportOf(Key, sha256, place);
    if (report !== undefined) return report;
    const { Item } = await place.dynamodb.send(
      new GetItemCommand({ TableName: place.table, Key: { id: { S: importRowId(sha256) } } }),
    );
    const state = Item && importState.parse(unmarshall(Item));
    const lines = state?.counts.lines ?? 0;
    bar.show(`${lines} lines, ${state?.counts.refused ?? 0} refused`, state ? state.offset / state.file.bytes : 0);
    await sleep(1000);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [file, ...more] = positionals;
  if (values.help || file === undefined || more.length > 0) return console.log(usage);
  if (!suffixes.some((suffix) => file.endsWith(suffix))) {
    throw new Error(`${file} must end in ${suffixes.join(' or ')}`);
  }
  const place = await (values.stack === undefined ? placeHere(values.port) : placeOnAws(values.stack));
  const key = `${buckets.documents.imports}${basename(file)}`;
  const report = await follow(key, await upload(file, key, place), place);
  bar.clear();
  const { unreadable, repeats, lines, applied, repeated, refused } = report;
  if (repeats !== undefined)
    console.log(`imported before, as ${repeats.file} at ${repeats.begunAt}: nothing was applied`);
  console.log(JSON.stringify({ lines, ...applied, repeated, refused }));
  if (unreadable !== undefined) throw new Error(unreadable);
  if (refused > 0) throw new Error(`${refused} lines were refused: s3://${place.bucket}/${key}.report.json says why`);
}

main().catch((error: Error) => {
  bar.clear();
  console.error(createPaint(process.stderr, process.env).red(error.message || error.name));
  process.exit(1);
});
