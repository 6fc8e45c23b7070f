import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { beforeEach, expect, test } from 'vitest';
import { isoTime } from '../../../shared/domain/time.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import { exportJournalHours } from '../../../shared/registry/export/export-journal.ts';
import { journalObjects } from '../../../shared/storage/journal/exported-objects.ts';
import { journalHours } from '../../../shared/storage/journal/journal-hours.ts';
import { journal } from '../../../shared/storage/journal/store.ts';
import { openBucket, useEmptyBucket } from '../../harness/bucket.ts';
import { useSqs } from '../../harness/embedded.ts';
import { type AwsClient, type Interference, interfereWith } from '../../harness/interference.ts';
import { createMortalProcess, type Mortal } from '../../harness/mortal-process.ts';
import { useTables } from '../../harness/tables.ts';

const hourMs = 3_600_000;
const inTables = useTables(['journal']);
const sqs = useSqs();
const own = useEmptyBucket(sqs);
let s3: S3Client;
let faults: unknown[];

let between: Interference;
let queries: number;

beforeEach(async () => {
  await inTables.empty('journal');
  [faults, between, queries] = [[], {}, 0];
  const counting: Interference['call'] = (call, go) => {
    if (call.command === 'Query') queries++;
    return between.call?.(call, go) ?? go();
  };
  const leave = interfereWith(inTables.dynamodb.client, () => ({ call: counting }));
  ({ s3 } = openBucket(sqs.endpoint, own.bucket));
  interfereWith(s3 as unknown as AwsClient, () => between);
  return () => {
    leave();
    s3.destroy();
  };
});

/**
 * Runs a function with a time limit of 840 s. Each journal query takes the given number of seconds and reads one shard
 * of an hour.
 */
function withSecondsAQuery<Answer>(seconds: number, run: () => Promise<Answer>): Promise<Answer> {
  const before = queries;
  return withinInvocation(() => 840_000 - (queries - before) * seconds * 1000, run);
}

const stores = () => {
  const [client, table] = [inTables.dynamodb.client, inTables.tables.journal];
  return {
    ...journal.permissions.writeMany(client, table),
    journalHours: journalHours.permissions.read(client, table),
    journalObjects: journalObjects.permissions.write(s3, own.bucket),
  };
};

type Objects = ReturnType<typeof stores>['journalObjects'];

/**
 * Runs the export at the given time, in parts of about three rows. `madeAt` is the creation time of the table.
 */
const exportAt = (
  time: string,
  {
    put,
    madeAt = '2026-11-20T00:12:34Z',
    days = 5,
    lengthOfPart = 600,
  }: { put?: Objects['put']; madeAt?: string; days?: number; lengthOfPart?: number } = {},
) => {
  let late = Number.NaN;
  const { journalHours: rows, journalObjects: objects } = stores();
  return exportJournalHours({
    journalHours: { ...rows, earliest: async () => Date.parse(madeAt) },
    journalObjects: { ...objects, ...(put && { put }) },
    days,
    lengthOfPart,
    now: () => Date.parse(time),
    onError: (error) => void faults.push(error),
    onOldest: (dueForMs) => {
      late = dueForMs / hourMs;
    },
  }).then((result) => ({ ...result, late }));
};

/** Writes the given number of journal rows at each of the given times. */
async function noted(count: number, ...times: string[]): Promise<void> {
  for (const time of times) {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ operation: 'findPersons', requestId: `request-${time}`, caller: 'police', uin: String(index) },
    }));
    await stores().putMany({ id: `of-${time}`, rows, at: Date.parse(time), days: 5 });
  }
}

const keys = () => own.keysBelow('');

/** Compares the manifest of an hour with the exported rows, and returns the rows. */
async function rowsOf(hour: string) {
  const manifest = JSON.parse(String(await own.read(`journal/${hour}.json`)));
  const parts = await Promise.all(
    manifest.objects.map(async (one: { key: string; rows: number; sha256: string }) => {
      const body = await own.read(one.key);
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

test('an hour that ended two hours ago is exported in several parts, and its manifest is written last', async () => {
  await noted(60, '2026-11-20T00:00:00.000Z', '2026-11-20T00:59:59.999Z');
  await noted(1, '2026-11-19T23:59:59.999Z', '2026-11-20T01:00:00.000Z');
  await exportAt('2026-11-20T03:00:00Z');
  const rows = await rowsOf('2026/11/20/00');
  const wanted = ['00:00:00.000', '00:59:59.999'].flatMap((time) =>
    Array.from({ length: 60 }, (_, index) => `2026-11-20T${time}Z ${index}`),
  );
  expect(rows.map(({ at, uin }) => `${at} ${uin}`).toSorted()).toEqual(wanted.toSorted());
  const parts = (await keys()).flatMap(
    (key) => /00-(\d\d)-(\d\d)-\d+-0-[0-9a-f]{64}\.ndjson\.gz$/.exec(key)?.slice(1, 3) ?? [],
  );
  expect(parts.length).toBeGreaterThan(20);
  const shards = Array.from({ length: 64 }, (_, shard) => String(shard).padStart(2, '0'));
  expect(shards).toEqual(expect.arrayContaining(parts));
});

test('an hour with few rows is exported as a manifest and one object whose name contains the number of rows', async () => {
  await noted(3, '2026-11-20T00:00:00.000Z');
  await exportAt('2026-11-20T03:00:00Z', { lengthOfPart: 100_000 });
  expect(await keys()).toEqual([
    expect.stringMatching(/^journal\/2026\/11\/20\/00-00-63-3-0-[0-9a-f]{64}\.ndjson\.gz$/),
    'journal/2026/11/20/00.json',
  ]);
  expect(await rowsOf('2026/11/20/00')).toHaveLength(3);
});

test('a repeated export adds no objects, and an hour is exported no earlier than two hours after its end', async () => {
  await noted(1, '2026-11-20T00:30:00.000Z');
  expect(await exportAt('2026-11-20T02:59:59Z')).toMatchObject({ hours: 1, rows: 0 });
  expect(await keys()).toEqual(['journal/2026/11/19/23.json']);
  expect(await exportAt('2026-11-20T03:00:00Z')).toEqual({ hours: 1, rows: 1, left: 0, late: 0 });
  const before = await keys();
  expect(await exportAt('2026-11-20T03:59:59Z')).toEqual({ hours: 0, rows: 0, left: 0, late: 0 });
  expect(await keys()).toEqual(before);
});

const [hour, due] = ['2026-11-20T00:30:00.000Z', '2026-11-20T03:10:00Z'];
const people = Array.from({ length: 60 }, (_, index) => String(index)).toSorted();
const named = async () => (await rowsOf('2026/11/20/00')).map(({ uin }) => uin).toSorted();

test('an hour that takes several runs is exported in several parts, and each row is exported only once', async () => {
  await noted(60, hour);
  const results: object[] = [];
  for (let run = 0; run < 7; run++) {
    results.push(await withSecondsAQuery(50, () => exportAt(due, { lengthOfPart: 3000 })));
  }
  const amid = { hours: 0, rows: 0, left: 1, late: 0 };
  const whole = { hours: 1, rows: 60, left: 0, late: 0 };
  expect(results).toEqual([amid, amid, amid, amid, amid, whole, { hours: 0, rows: 0, left: 0, late: 0 }]);
  expect(queries).toBe(64);
  expect(await named()).toEqual(people);
});

test('an export continues after it is interrupted at any point, and exports each row once', async () => {
  await noted(60, hour);
  const run = () => withSecondsAQuery(20, () => exportAt(due, { lengthOfPart: 3000 }));
  const play = async (process: Mortal) => {
    between = {};
    for (const key of await keys()) await own.remove(key);
    between = process.interference;
    for (let runs = 0; !(await keys()).some((key) => key.endsWith('.json')); runs++) {
      const isAlive = !process.hasStruck();
      if (!isAlive) between = {};
      await (isAlive ? Promise.race([run(), process.death]) : run());
      if (runs > 10) throw new Error('the loop does not end');
    }
    between = {};
    expect(await named()).toEqual(people);
  };
  const immortal = createMortalProcess();
  await play(immortal);
  const { calls } = immortal;
  const isAlike = (at: number) => calls[at]?.command === 'Query' && calls[at - 1]?.command === 'Query';
  const places = calls.flatMap((_, at) =>
    isAlike(at) ? [] : (['before', 'after'] as const).map((when) => ({ at, when })),
  );
  expect(calls.filter(({ command }) => command === 'PutObject').length).toBeGreaterThan(5);
  for (const { at, when } of places) {
    const process = createMortalProcess(at, when);
    await play(process);
    expect(process.hasStruck()).toBe(true);
  }
});

test('the exported data contains each row once even if two runs export the same shards at the same time', async () => {
  await noted(60, hour);
  const { journalObjects: objects } = stores();
  const late: Parameters<Objects['put']>[] = [];
  const put = async (...args: Parameters<Objects['put']>) => void late.push(args);
  await withSecondsAQuery(50, () => exportAt(due, { put }));
  await withSecondsAQuery(40, () => exportAt(due, { lengthOfPart: 3000 }));
  for (const args of late) await objects.put(...args);
  await withSecondsAQuery(50, () => exportAt(due));
  await exportAt(due);
  expect(late.length).toBeGreaterThan(3);
  expect(await named()).toEqual(people);
});

test('an export processes all missed hours without gaps, in as many runs as needed', async () => {
  await noted(2, '2026-11-19T22:00:00.000Z', '2026-11-20T05:30:00.000Z');
  const madeAt = '2026-11-19T20:12:34Z';
  const secondsAQuery = 540 / (5 * 64);
  const short = await withSecondsAQuery(secondsAQuery, () => exportAt('2026-11-20T10:00:00Z', { madeAt }));
  expect(short).toEqual({ hours: 5, rows: 2, left: 7, late: 11 });
  expect(await exportAt('2026-11-20T10:30:00Z', { madeAt })).toEqual({ hours: 7, rows: 2, left: 0, late: 6 });
  const first = Date.parse('2026-11-19T20:00:00Z');
  const hours = Array.from({ length: 12 }, (_, index) => isoTime(first + index * hourMs).slice(0, 13));
  expect((await keys()).filter((key) => key.endsWith('.json'))).toEqual(
    hours.map((hour) => `journal/${hour.replaceAll('-', '/').replace('T', '/')}.json`),
  );
});

test('an export contains only the journal fields of a row', async () => {
  const row = { operation: 'readPerson', requestId: 'request-1', caller: 'police', at: '2026-11-20T00:30:00.000Z' };
  const moment = `${row.at}#request-1#00000`;
  await inTables.write('journal', { ...row, uin: '1', moment, dayShard: '2026-11-20#3', firstName: 'Quillonia' });
  await exportAt('2026-11-20T03:00:00Z');
  expect(await rowsOf('2026/11/20/00')).toEqual([{ ...row, uin: '1', moment }]);
});

test('an export includes unreadable rows as they are stored, reports only their keys, and continues', async () => {
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
  expect(JSON.parse(String(await own.read('journal/2026/11/20/00.json')))).toMatchObject({ rows: 2, unreadable: 1 });
  expect(faults).toMatchObject([{ errorName: 'unreadableEntry', ids: { moment } }]);
});

test('a row that is written more than an hour late is exported in the hour of the write, with its original time', async () => {
  const at = Date.parse('2026-11-20T00:30:00Z');
  const row = { operation: 'publishEvent', requestId: 'message-1', caller: 'civil', event: 'death', uin: '1' };
  await stores().putMany({ id: 'message-1', rows: [row], at, lateAt: at + 5 * hourMs, days: 5 });
  await exportAt('2026-11-20T08:00:00Z');
  expect(await rowsOf('2026/11/20/00')).toEqual([]);
  expect(await rowsOf('2026/11/20/05')).toMatchObject([{ ...row, at: '2026-11-20T00:30:00.000Z' }]);
});

test('the earliest hour is the hour in which the table was created, except for a restored table', async () => {
  const CreationDateTime = new Date('2026-11-20T00:12:34Z');
  const begun = (more: object) => {
    const send = async () => ({ Table: { CreationDateTime, ...more } });
    return journalHours.permissions.read({ send } as never, 'journal').earliest();
  };
  expect(await begun({})).toBe(CreationDateTime.getTime());
  expect(await begun({ RestoreSummary: { RestoreInProgress: false } })).toBe(0);
});

test('an export ignores hours before the retention period', async () => {
  expect(await exportAt('2026-11-20T06:00:00Z', { madeAt: '1970-01-01T00:00:00Z', days: 0.25 })).toMatchObject({
    hours: 4,
  });
});
