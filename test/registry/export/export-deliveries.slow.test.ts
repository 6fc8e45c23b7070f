import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as readJournal } from '../../../functions/persons/read-journal.ts';
import { journalEvent } from '../../../shared/delivery/fan-out/fan-out-message.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import { exportDeliveryHours } from '../../../shared/registry/export/export-deliveries.ts';
import { messageDeliveries } from '../../../shared/storage/deliveries/message-deliveries.ts';
import { deliveryObjects } from '../../../shared/storage/journal/exported-objects.ts';
import { journalHours } from '../../../shared/storage/journal/journal-hours.ts';
import { journal } from '../../../shared/storage/journal/store.ts';
import { useEmptyBucket } from '../../harness/bucket.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
// With one subscription per task, forty deliveries do not fit into one shard.
const harness = useDeliveryHarness({ subscriptionsPerTask: 1 });
const { publish, publishAndWork, work } = harness;
const death = '{"source":"CR","uin":"100","uin1":"101"}';
const own = useEmptyBucket(harness.sqs);
let faults: unknown[];

beforeEach(() => {
  faults = [];
});

const objects = () => deliveryObjects.permissions.write(own.s3, own.bucket);

/** Runs the export with the clock set ahead by the given days and one hour. `more` replaces methods of the bucket. */
function exported(
  more: Partial<ReturnType<typeof objects>> = {},
  days = 23,
  deliveryDays = 30,
  onShard: (shard: number) => void = () => {},
) {
  const { dynamodb, tables } = harness;
  const begunAt = harness.now();
  const hours = journalHours.permissions.read(dynamodb.client, tables.journal);
  const ofShard: typeof hours.ofShard = (hour, shard, onError) => {
    onShard(shard);
    return hours.ofShard(hour, shard, onError);
  };
  let late = Number.NaN;
  return exportDeliveryHours({
    journalHours: { ofShard, earliest: async () => begunAt },
    messageDeliveries: messageDeliveries.permissions.read(dynamodb.client, tables.deliveries),
    deliveryObjects: { ...objects(), ...more },
    settings: { deliveryDays, journalDays: 400 },
    now: () => begunAt + days * dayMs + hourMs,
    onError: (error) => void faults.push(error),
    onOldest: (dueForMs) => {
      late = dueForMs / hourMs;
    },
  }).then((result) => ({ ...result, late }));
}

const keys = () => own.keysBelow('');

async function read(key: string): Promise<string> {
  const bytes = await own.read(key);
  return String(key.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

const hour = () => new Date(harness.now()).toISOString().slice(0, 13).replaceAll('-', '/').replace('T', '/');
const keyOf = (messageId: string) => `deliveries/${hour()}/${messageId}.ndjson.gz`;
const linesOf = async (messageId: string) =>
  (await read(keyOf(messageId)))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const manifest = async () => JSON.parse(await read(`deliveries/hours/${hour()}.json`));

const subscribers = async (topic: string, count: number) => {
  const its = await harness.newTopic(topic);
  const all = Array.from({ length: count }, (_, index) => ({ address: `http://receiver.example/${index}` }));
  return (await harness.subscribed(its, ...all)).map(({ uuid }) => uuid);
};

describe('delivery exports', () => {
  test.each([
    ['a few deliveries', 3],
    ['many deliveries in several shards', 40],
  ])('the delivery export of an event lists its recipients and the outcome of each delivery: %s', async (_, count) => {
    const uuids = await subscribers('death', count);
    const [failing = ''] = uuids;
    harness.answer((post) =>
      post.uuid === failing ? { class: 'http', status: 503 } : { class: 'delivered', status: 204 },
    );
    const messageId = await publishAndWork('death', death);
    expect(await exported()).toEqual({ hours: 1, rows: 1, left: 0, late: 0 });
    const lines = await linesOf(messageId);
    expect(lines.map(({ subscription }) => subscription).toSorted()).toEqual(uuids.toSorted());
    const publishedAt = expect.stringContaining(new Date(harness.now()).toISOString().slice(0, 13));
    for (const { subscription, ...line } of lines) {
      const hasFailed = subscription === failing;
      expect(line).toEqual({
        ...{ messageId, publishedAt, topic: 'death', event: 'death', protocol: 'http' },
        state: hasFailed ? 'waiting' : 'delivered',
        attempts: [
          expect.objectContaining(hasFailed ? { class: 'http', status: 503 } : { class: 'delivered', status: 204 }),
        ],
      });
    }
    expect(await manifest()).toMatchObject({ events: 1, objects: 1, forgotten: 0 });
    const { rows } = await readJournal({ uin: '100' });
    expect(rows.filter(({ event }) => event !== undefined)).toMatchObject([
      { requestId: messageId, exportedIn: keyOf(messageId) },
    ]);
  });

  test('a large delivery export is uploaded in parts, each with the checksum that a locked bucket requires', async () => {
    const sent: string[] = [];
    own.s3.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          const { headers } = args.request as { headers: Record<string, string> };
          const checked = Object.keys(headers).filter((name) => /^x-amz-checksum-crc|^content-md5/i.test(name));
          sent.push(`${commandName} ${checked.length}`);
          return next(args);
        },
      { step: 'finalizeRequest', priority: 'low', name: 'countChecksums', override: true },
    );
    async function* text() {
      const line = (index: number) => `${createHash('sha256').update(String(index)).digest('hex')}\n`;
      for (let page = 0; page < 200; page++) {
        yield Array.from({ length: 1000 }, (_, index) => line(page * 1000 + index)).join('');
      }
    }
    const event = { messageId: 'many', publishedAt: '2026-11-20T05:00:00.000Z' };
    await objects().putEvent(event, text());
    await objects().putEvent(
      { ...event, messageId: 'few' },
      (async function* () {
        yield 'one\n';
      })(),
    );
    await objects().putManifest('2026-11-20T05', {});
    own.s3.middlewareStack.remove('countChecksums');
    const uploads = sent.filter((one) => /^(?:UploadPart|PutObject)/.test(one));
    expect(uploads.filter((one) => one.startsWith('UploadPart')).length).toBeGreaterThan(1);
    expect(uploads.filter((one) => one.startsWith('PutObject'))).toHaveLength(2);
    expect(uploads.filter((one) => one.endsWith(' 0'))).toEqual([]);
    expect(await read('deliveries/2026/11/20/05/many.ndjson.gz')).toBe((await Array.fromAsync(text())).join(''));
  });

  test('the delivery export writes no object for an event without subscribers, and counts expired events in the manifest', async () => {
    await harness.newTopic('death');
    await publish('death', death);
    const [, forgotten] = [await publish('death', death), await publish('death', death)];
    await work();
    await harness.remove('deliveries', { messageShard: `${forgotten}#0`, taskKey: 'message' });
    await exported();
    expect(await keys()).toEqual([`deliveries/hours/${hour()}.json`]);
    expect(await manifest()).toMatchObject({ events: 3, objects: 0, forgotten: 1 });
  });

  test('the delivery export counts unreadable rows in the journal or the deliveries table, and continues', async () => {
    await subscribers('death', 1);
    const [unread, good] = [await publish('death', death), await publish('death', death)];
    await work();
    await harness.write('deliveries', {
      messageShard: `${unread}#0`,
      taskKey: 'message',
      messageId: unread,
      shardBits: 'none',
    });
    const moment = `${new Date(harness.now()).toISOString()}#entry#00000`;
    await harness.write('journal', { dayShard: `${moment.slice(0, 10)}#3`, moment, at: 7 });
    expect(await exported()).toMatchObject({ hours: 1, rows: 2, left: 0 });
    for (const messageId of [unread, good]) expect(await linesOf(messageId)).toHaveLength(1);
    expect(await manifest()).toMatchObject({ events: 2, objects: 2, forgotten: 0, unreadable: 2 });
    const byName = faults.map((one) => Object(one).errorName).toSorted();
    expect(byName).toEqual(['unreadableEntry', 'unreadableRow']);
  });

  test('the delivery export marks deliveries as unknown if their task was leased but has no recorded outcomes', async () => {
    await subscribers('death', 1);
    harness.answer(() => new Promise(() => {}));
    const messageId = await publish('death', death);
    const stopped = work();
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 500))]);
    await exported();
    expect(await linesOf(messageId)).toMatchObject([{ state: 'unknown', attempts: [], task: expect.any(String) }]);
  });

  test('the delivery export does not include events that are not yet due', async () => {
    await subscribers('death', 1);
    await publishAndWork('death', death);
    await exported({}, 22);
    expect((await keys()).filter((key) => key.endsWith('.gz'))).toEqual([]);
  });
});

/** Writes the journal entry of an event again, as a repeated fan-out does. */
const noteAgain = (messageId: string, publishedAt: number): Promise<void> =>
  journalEvent(
    {
      ...{ messageId, topicUuid: 'uuid', topicName: 'death', generation: 'first', contentType: 'application/json' },
      ...{ bodyBase64: Buffer.from(death).toString('base64'), timestamp: new Date(publishedAt).toISOString() },
    },
    {
      journal: journal.permissions.writeMany(harness.dynamodb.client, harness.tables.journal),
      messages: { getBody: async () => undefined, putBody: async () => {} },
      settings: { deliveryDays: 30, journalDays: 400 },
      ...{ now: harness.now, onError: (error) => void faults.push(error) },
    },
  );

/** Adds the ID of each written event to the given list. Throws an error instead of writing more than `most` events. */
const writtenBy = (written: string[], most = Number.POSITIVE_INFINITY) => ({
  async putEvent(...args: Parameters<ReturnType<typeof objects>['putEvent']>) {
    if (written.length === most) throw new Error('killed');
    written.push(args[0].messageId);
    await objects().putEvent(...args);
  },
});

test('an event with two late journal entries in the same hour is exported and counted only once', async () => {
  await subscribers('death', 1);
  const publishedAt = harness.now();
  const ids: string[] = [];
  for (let published = 0; published < 20; published++) ids.push(await publish('death', death));
  // Fan-out is stopped for two hours.
  harness.pass(2 * hourMs);
  await work();
  harness.pass(1000);
  for (const id of ids) await noteAgain(id, publishedAt);
  const rows = await harness.rows('journal');
  expect(rows.filter(({ requestId }) => requestId === ids[0])).toHaveLength(2);
  const written: string[] = [];
  expect(await exported(writtenBy(written))).toEqual({ hours: 1, rows: 20, left: 0, late: 0 });
  expect(written.toSorted()).toEqual(ids.toSorted());
  expect(await manifest()).toMatchObject({ events: 20, objects: 20, forgotten: 0, unreadable: 0 });
});

test('an event with a timely and a late journal entry is exported once, but counted in both hours', async () => {
  await subscribers('death', 1);
  const publishedAt = harness.now();
  const messageId = await publishAndWork('death', death);
  const written: string[] = [];
  await exported(writtenBy(written));
  expect(await manifest()).toMatchObject({ events: 1, objects: 1 });
  harness.pass(2 * hourMs);
  await noteAgain(messageId, publishedAt);
  expect(await exported(writtenBy(written))).toMatchObject({ hours: 2, left: 0 });
  expect(await manifest()).toMatchObject({ events: 1, objects: 1, forgotten: 0 });
  expect(written).toEqual([messageId]);
});

test('if the export of an hour is interrupted, the next run exports the missing events', async () => {
  await subscribers('death', 2);
  const ids = [await publish('death', death), await publish('death', death), await publish('death', death)];
  await work();
  const written: string[] = [];
  await expect(exported(writtenBy(written, 2))).rejects.toThrow('killed');
  await expect.poll(async () => (await keys()).length).toBe(2);
  expect((await keys()).filter((key) => key.includes('/hours/'))).toEqual([]);
  expect(await exported(writtenBy(written))).toMatchObject({ hours: 1, rows: 3 });
  expect(written.toSorted()).toEqual(ids.toSorted());
  expect(await manifest()).toMatchObject({ events: 3, objects: 3 });
});

test('an hour that takes several runs is exported in several parts, and each event is exported only once', async () => {
  await subscribers('death', 2);
  const ids: string[] = [];
  for (let published = 0; published < 12; published++) ids.push(await publish('death', death));
  await work();
  const written: string[] = [];
  const read: number[] = [];
  const results: object[] = [];
  for (let run = 0; run < 4; run++) {
    let timeChecks = 0;
    const result = await withinInvocation(
      () => (++timeChecks > 30 ? 1 : 900_000),
      () => exported(writtenBy(written), 23, 30, (shard) => void read.push(shard)),
    );
    results.push(result);
  }
  const amid = { hours: 0, rows: 0, left: 1, late: 0 };
  const whole = { hours: 1, rows: 12, left: 0, late: 0 };
  expect(results).toEqual([amid, amid, whole, { hours: 0, rows: 0, left: 0, late: 0 }]);
  expect(written.toSorted()).toEqual(ids.toSorted());
  expect(new Set(read).size).toBe(64);
  expect(read.length - 64).toBeLessThanOrEqual(2);
  expect(await manifest()).toMatchObject({ events: 12, objects: 12, forgotten: 0, unreadable: 0 });
});

test('an hour is not exported again after `deliveryDays` has been increased', async () => {
  await exported();
  expect(await exported({}, 23, 90)).toMatchObject({ hours: 0, left: 0, late: 0 });
});
