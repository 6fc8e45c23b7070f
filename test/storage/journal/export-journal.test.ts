import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { isoTime } from '../../../shared/domain/iso-time.ts';
import { withinInvocation } from '../../../shared/invocation/time-left.ts';
import { listObjects } from '../../../shared/storage/documents/objects.ts';
import { exportJournalHours } from '../../../shared/storage/journal/export-journal.ts';
import { journal } from '../../../shared/storage/journal/journal.ts';
import { journalHours } from '../../../shared/storage/journal/journal-hours.ts';
import { journalObjects } from '../../../shared/storage/journal/journal-objects.ts';
import { useTables } from '../../harness/tables.ts';
import { useSqs } from '../../support/embedded.ts';

const hourMs = 3_600_000;
const inTables = useTables(['journal']);
const sqs = useSqs();
let s3: S3Client;
let bucket = '';
let made = 0;
let faults: unknown[];

beforeAll(() => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  s3 = new S3Client({ endpoint: sqs.endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  return () => s3.destroy();
});
beforeEach(async () => {
  await inTables.empty('journal');
  faults = [];
  bucket = `journal-${++made}`;
  sqs.server.createBucket(bucket);
});

const stores = () => {
  const [client, table] = [inTables.dynamodb.client, inTables.tables.journal];
  return {
    ...journal.permissions.writeMany(client, table),
    journalHours: journalHours.permissions.read(client, table),
    journalObjects: journalObjects.permissions.write(s3, bucket),
  };
};

type Objects = ReturnType<typeof stores>['journalObjects'];

/** Exports at a time, in parts of three rows or so, from a table that was made a while before. */
const exportAt = (
  time: string,
  { put, madeAt = '2026-11-20T00:12:34Z', days = 5 }: { put?: Objects['put']; madeAt?: string; days?: number } = {},
) => {
  let late = Number.NaN;
  const { journalHours: rows, journalObjects: objects } = stores();
  return exportJournalHours({
    journalHours: { ...rows, begun: async () => Date.parse(madeAt) },
    journalObjects: { ...objects, ...(put && { put }) },
    days,
    lengthOfPart: 600,
    now: () => Date.parse(time),
    onFault: (error) => void faults.push(error),
    onOldest: (dueForMs) => {
      late = dueForMs / hourMs;
    },
  }).then((answer) => ({ ...answer, late }));
};

/** Rows at these times, so many each. */
async function noted(count: number, ...times: string[]): Promise<void> {
  for (const time of times) {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ operation: 'findPersons', requestId: `request-${time}`, caller: 'police', uin: String(index) },
    }));
    await stores().putMany({ id: `of-${time}`, rows, at: Date.parse(time), days: 5 });
  }
}

const keys = async () => (await listObjects(s3, bucket, '')).map(({ Key = '' }) => Key);
const bytesOf = async (key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};

/** What a manifest says there is, held against it. */
async function rowsOf(hour: string) {
  const manifest = JSON.parse(String(await bytesOf(`journal/${hour}.json`)));
  const parts = await Promise.all(
    manifest.objects.map(async (one: { key: string; rows: number; sha256: string }) => {
      const body = await bytesOf(one.key);
      expect(createHash('sha256').update(body).digest('hex')).toBe(one.sha256);
      const rows = String(gunzipSync(body)).trimEnd().split('\n');
      expect(rows).toHaveLength(one.rows);
      return rows.map((row) => JSON.parse(row));
    }),
  );
  expect(parts.flat()).toHaveLength(manifest.rows);
  expect(manifest.hour).toBe(`${hour.slice(0, 10).replaceAll('/', '-')}T${hour.slice(11)}:00:00Z`);
  return parts.flat();
}

test('an hour that ended two hours ago is exported whole, in parts, with a manifest that is last', async () => {
  await noted(60, '2026-11-20T00:00:00.000Z', '2026-11-20T00:59:59.999Z');
  await noted(1, '2026-11-19T23:59:59.999Z', '2026-11-20T01:00:00.000Z');
  const order: string[] = [];
  const { journalObjects: objects } = stores();
  const put = (name: string, body: Uint8Array) => {
    order.push(name);
    return objects.put(name, body);
  };
  await exportAt('2026-11-20T03:00:00Z', { put });
  const rows = await rowsOf('2026/11/20/00');
  const wanted = ['00:00:00.000', '00:59:59.999'].flatMap((time) =>
    Array.from({ length: 60 }, (_, index) => `2026-11-20T${time}Z ${index}`),
  );
  expect(rows.map(({ at, uin }) => `${at} ${uin}`).toSorted()).toEqual(wanted.toSorted());
  expect(order.at(-1)).toBe('2026/11/20/00.json');
  expect(order.length).toBeGreaterThan(10);
  expect(order[1]).toBe('2026/11/20/00-0001.ndjson.gz');
});

test('a time later nothing new is exported, and an hour is not before it is over for two', async () => {
  await noted(1, '2026-11-20T00:30:00.000Z');
  expect(await exportAt('2026-11-20T02:59:59Z')).toMatchObject({ hours: 1, rows: 0 });
  expect(await keys()).toEqual(['journal/2026/11/19/23.json']);
  expect(await exportAt('2026-11-20T03:00:00Z')).toEqual({ hours: 1, rows: 1, left: 0, late: 0 });
  const before = await keys();
  expect(await exportAt('2026-11-20T03:59:59Z')).toEqual({ hours: 0, rows: 0, left: 0, late: 0 });
  expect(await keys()).toEqual(before);
});

test('a run that was killed within an hour is made up for by the next', async () => {
  await noted(30, '2026-11-20T00:30:00.000Z');
  let puts = 0;
  const { journalObjects: objects } = stores();
  const put = (name: string, body: Uint8Array) =>
    ++puts > 4 ? Promise.reject(new Error('killed')) : objects.put(name, body);
  await expect(exportAt('2026-11-20T03:10:00Z', { put })).rejects.toThrow('killed');
  expect((await keys()).filter((key) => key.endsWith('.json'))).toEqual([]);
  expect(await exportAt('2026-11-20T04:10:00Z')).toEqual({ hours: 2, rows: 30, left: 0, late: 1 });
  const named = new Set((await rowsOf('2026/11/20/00')).map(({ uin }) => uin));
  expect(named.size).toBe(30);
});

test('hours that were missed are caught up with in as many runs as it takes, without a gap', async () => {
  await noted(2, '2026-11-19T22:00:00.000Z', '2026-11-20T05:30:00.000Z');
  let left = 350_000;
  const madeAt = '2026-11-19T20:12:34Z';
  const short = await withinInvocation(
    () => (left -= 10_000),
    () => exportAt('2026-11-20T10:00:00Z', { madeAt }),
  );
  expect(short).toEqual({ hours: 5, rows: 2, left: 7, late: 11 });
  expect(await exportAt('2026-11-20T10:30:00Z', { madeAt })).toEqual({ hours: 7, rows: 2, left: 0, late: 6 });
  const first = Date.parse('2026-11-19T20:00:00Z');
  const hours = Array.from({ length: 12 }, (_, index) => isoTime(first + index * hourMs).slice(0, 13));
  expect((await keys()).filter((key) => key.endsWith('.json'))).toEqual(
    hours.map((hour) => `journal/${hour.replaceAll('-', '/').replace('T', '/')}.json`),
  );
});

test('nothing but what the journal tells is exported, whatever else a row holds', async () => {
  const row = { operation: 'readPerson', requestId: 'request-1', caller: 'police', at: '2026-11-20T00:30:00.000Z' };
  const moment = `${row.at}#request-1#00000`;
  await inTables.write('journal', { ...row, uin: '1', moment, dayShard: '2026-11-20#3', firstName: 'Quillonia' });
  await exportAt('2026-11-20T03:00:00Z');
  expect(await rowsOf('2026/11/20/00')).toEqual([{ ...row, uin: '1', moment }]);
});

test('a row that cannot be read is exported as the table has it, told of by its key alone, and holds up none of the others', async () => {
  await noted(1, '2026-11-20T00:30:00.000Z');
  const moment = '2026-11-20T00:40:00.000Z#request-1#00000';
  await inTables.write('journal', { at: 7, uin: '1', moment, dayShard: '2026-11-20#3' });
  expect(await exportAt('2026-11-20T03:00:00Z')).toMatchObject({ hours: 1, rows: 2 });
  const rows = await rowsOf('2026/11/20/00');
  expect(rows.filter((row) => 'unreadable' in row)).toEqual([
    {
      moment,
      unreadable: { at: { N: '7' }, uin: { S: '1' }, moment: { S: moment }, dayShard: { S: '2026-11-20#3' } },
    },
  ]);
  expect(rows).toHaveLength(2);
  expect(JSON.parse(String(await bytesOf('journal/2026/11/20/00.json')))).toMatchObject({ rows: 2, unreadable: 1 });
  expect(faults).toMatchObject([{ fault: 'unreadableEntry', ids: { moment } }]);
});

test('a row that is written more than its hour later is of the hour of its writing, and says when it was', async () => {
  const at = Date.parse('2026-11-20T00:30:00Z');
  const told = { operation: 'publishEvent', requestId: 'message-1', caller: 'civil', event: 'death', uin: '1' };
  await stores().putMany({ id: 'message-1', rows: [told], at, lateAt: at + 5 * hourMs, days: 5 });
  await exportAt('2026-11-20T08:00:00Z');
  expect(await rowsOf('2026/11/20/00')).toEqual([]);
  expect(await rowsOf('2026/11/20/05')).toMatchObject([{ ...told, at: '2026-11-20T00:30:00.000Z' }]);
});

test('a table has rows from when it was made, and one that was restored may have older ones', async () => {
  const CreationDateTime = new Date('2026-11-20T00:12:34Z');
  const begun = (more: object) => {
    const send = async () => ({ Table: { CreationDateTime, ...more } });
    return journalHours.permissions.read({ send } as never, 'journal').begun();
  };
  expect(await begun({})).toBe(CreationDateTime.getTime());
  expect(await begun({ RestoreSummary: { RestoreInProgress: false } })).toBe(0);
});

test('what is older than rows are kept is not looked for', async () => {
  expect(await exportAt('2026-11-20T06:00:00Z', { madeAt: '1970-01-01T00:00:00Z', days: 0.25 })).toMatchObject({
    hours: 4,
  });
});
