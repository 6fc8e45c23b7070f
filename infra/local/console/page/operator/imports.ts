import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { bucketNotifications, buckets } from '../../../../../shared/contract/buckets.ts';
import { reportKey } from '../../../../../shared/domain/imports/import-payload.ts';
import {
  type ImportCounts,
  type ImportState,
  importRowId,
  importState,
} from '../../../../../shared/domain/imports/import-state.ts';
import type { ShownImport } from '../state.ts';
import type { OperatorTarget } from './target.ts';

const maxImports = 8;
// An import report begins with a summary. The list of rejected lines that follows can be long and is not read.
const maxSummaryBytes = 4096;

const suffixes = bucketNotifications.documents.find(({ queue }) => queue === 'imports')?.suffixes ?? [];

const appliedIn = ({ applied }: ImportCounts): number => Object.values(applied).reduce((sum, count) => sum + count, 0);

interface Reading extends Pick<OperatorTarget, 's3' | 'dynamodb'> {
  readonly bucket: string;
  readonly table: string;
  /** A cache of all summaries that have been read. Summaries can be cached because reports do not change. */
  readonly summaries: Map<string, Summary>;
}

/** Reads the import that holds the lock; undefined if no import is running. */
async function readRunning({ dynamodb, table }: Reading): Promise<ImportState | undefined> {
  const read = async (sha256: string) => {
    const Key = { id: { S: importRowId(sha256) } };
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
    return Item;
  };
  const holder = (await read('lock'))?.holder?.S;
  const row = holder === undefined ? undefined : await read(holder);
  return row && importState.parse(unmarshall(row));
}

type Summary = ImportCounts & { readonly unreadable?: string; readonly repeats?: { readonly file: string } };

async function readSummary(key: string, at: Date, { s3, bucket: Bucket, summaries }: Reading): Promise<Summary> {
  const id = `${key} ${at.getTime()}`;
  const known = summaries.get(id);
  if (known !== undefined) return known;
  const Range = `bytes=0-${maxSummaryBytes - 1}`;
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: reportKey(key), Range }));
  const [summary = ''] = ((await Body?.transformToString()) ?? '').split(/,\s*"rejectedLines": \[/);
  const read = JSON.parse(`${summary}}`) as Summary;
  summaries.set(id, read);
  return read;
}

/**
 * Lists the newest import files. Does not read the files, because their reports and one table row contain the results.
 */
async function listFiles({ s3: client, bucket: Bucket }: Reading) {
  const times = new Map<string, Date>();
  // The delimiter excludes the parts of import reports, because the keys of the parts contain another `/`.
  const input = { Bucket, Prefix: buckets.documents.imports, Delimiter: '/' };
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, input)) {
    for (const { Key = '', LastModified = new Date(0) } of Contents) times.set(Key, LastModified);
  }
  return [...times]
    .filter(([key]) => suffixes.some((suffix) => key.endsWith(suffix)))
    .map(([key, at]) => ({ key, at, hasReport: (times.get(reportKey(key)) ?? 0) >= at }))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, maxImports);
}

/** Returns the newest import files, each with its progress or its result. */
export async function readImports(reading: Reading): Promise<ShownImport[]> {
  const [files, running] = await Promise.all([listFiles(reading), readRunning(reading)]);
  return Promise.all(
    files.map(async ({ key, at, hasReport }): Promise<ShownImport> => {
      const file = key.slice(buckets.documents.imports.length);
      const shown = { file, at: at.toISOString(), lines: 0, applied: 0, rejected: 0 };
      if (hasReport) {
        const { lines, rejected, unreadable, repeats, ...counts } = await readSummary(key, at, reading);
        const problem = unreadable ?? (repeats && `already imported as ${repeats.file}`);
        const applied = appliedIn({ lines, rejected, ...counts });
        return { ...shown, state: 'ended', progress: 1, lines, applied, rejected, problem };
      }
      if (running?.file.key !== key) return { ...shown, state: 'waiting', progress: 0 };
      const { checkedAt, offset, counts } = running;
      return {
        ...{ ...shown, lines: counts.lines, applied: appliedIn(counts), rejected: counts.rejected },
        state: checkedAt === undefined ? 'checking' : 'applying',
        progress: offset / running.file.bytes,
      };
    }),
  );
}
