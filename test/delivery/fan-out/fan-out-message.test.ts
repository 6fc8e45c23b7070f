import { beforeEach, describe, expect, it } from 'vitest';
import { fanOutMessage, fanOutNextSegment, fanOutSegment } from '../../../shared/delivery/fan-out/fan-out-message.ts';
import type { FanOutMessageTools } from '../../../shared/delivery/fan-out/send-tasks.ts';
import { type FanOutPayload, withoutStoredBody } from '../../../shared/domain/deliveries/message.ts';
import { segmentsFrom } from '../../../shared/domain/deliveries/shards.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import type { InternalError } from '../../../shared/domain/internal-errors.ts';
import type { JournalEntry } from '../../../shared/domain/journal/journal-row.ts';
import { deliveries } from '../../../shared/storage/deliveries/store.ts';
import { journal } from '../../../shared/storage/journal/store.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { noon } from '../../harness/builders.ts';
import { aPublication, expiresAt } from '../../harness/deliveries.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, queued } = harness;
let tools: FanOutMessageTools;
let faults: InternalError[];
beforeEach(() => {
  faults = [];
  const { dynamodb, sqs, tables, queues } = harness;
  tools = {
    subscriptions: subscriptions.permissions.listActive(dynamodb.client, tables.subscriptions),
    deliveries: {
      ...deliveries.permissions.publish(dynamodb.client, tables.deliveries),
      ...deliveries.permissions.fanOut(dynamodb.client, tables.deliveries),
    },
    messages: harness.bodies(),
    journal: journal.permissions.writeMany(dynamodb.client, tables.journal),
    queues: {
      ...queueStore.permissions.fanOut(sqs.client, queues.fanOut),
      ...queueStore.permissions.http(sqs.client, queues.http),
      ...queueStore.permissions.mass(sqs.client, queues.mass),
      ...queueStore.permissions.email(sqs.client, queues.email),
    },
    ...{ now: harness.now, newId: () => 'id' },
    onError: (fault) => faults.push(fault),
    subscriptionsPerTask: 3,
    settings: { deliveryDays: 30, journalDays: 400 },
  };
});

const aJob = (given: Partial<FanOutPayload> = {}): FanOutPayload => ({
  publicationId: 'publication-1',
  notification: aPublication({ topicUuid: topic.uuid, generation: topic.generation }),
  ...given,
});
const emailed = () => harness.payloadsIn<DeliveryTask>('email');
const messageRow = async () => (await harness.deliveries()).find(({ taskKey }) => taskKey === 'message');
const uuidsIn = (tasks: readonly DeliveryTask[]) => tasks.flatMap(({ subscriptionUuids }) => subscriptionUuids);

/** Returns fan-out tools that read the same subscriptions in pages of at most `size`. */
const inPagesOf = (size: number): FanOutMessageTools => ({
  ...tools,
  subscriptions: {
    async *listActive(...given) {
      const all = (await Array.fromAsync(tools.subscriptions.listActive(...given))).flat();
      for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
    },
  },
});

it('fan-out creates tasks for the active subscriptions and puts each task in the queue for its protocol', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => subscriber()));
  const clerk = await subscriber({ protocol: 'email', address: 'clerk@example.org' });
  await subscriber({ isActive: false });
  const payload = aJob();
  await fanOutMessage(payload, tools);
  expect(uuidsIn(queued()).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  expect(emailed()).toMatchObject([
    { protocol: 'email', isSingle: false, attempt: 0, subscriptionUuids: [clerk.uuid] },
  ]);
  expect(queued().length).toBeGreaterThan(1);
  for (const { content } of queued()) expect(content).toEqual({ type: 'Notification', ...payload.notification });
  expect(await messageRow()).toMatchObject({ ...payload.notification, publicationId: 'publication-1', shardBits: 3 });
});

it('fan-out stores a long body that publish could not store, and puts only the body key in its tasks', async () => {
  await subscriber();
  const body = Buffer.alloc(5000, 'x').toString('base64');
  const notification = { ...aJob().notification, bodyBase64: body, bodyKey: 'publication-1' };
  await fanOutMessage(aJob({ notification }), tools);
  expect(queued().map(({ content }) => content)).toMatchObject([{ bodyKey: 'publication-1' }]);
  expect([queued()[0]?.content, await messageRow()].map((one) => 'bodyBase64' in Object(one))).toEqual([false, false]);
  expect(await harness.bodies().getBody('publication-1')).toBe(body);
});

it.each([
  ['references the body', undefined],
  ['contains the body', 'e30='],
])('a reconciliation does not send a message that has expired, even if the payload %s', async (_what, bodyBase64) => {
  await subscriber();
  const notification = { ...aJob().notification, bodyBase64 };
  await fanOutMessage(aJob({ notification, isReconciliation: true }), tools);
  expect(queued()).toEqual([]);
  expect(await messageRow()).toBeUndefined();
});

describe('a segment', () => {
  it('fan-out creates the same tasks for every page size, and never splits a task', async () => {
    await Promise.all(Array.from({ length: 40 }, () => subscriber()));
    const keys = async (size: number) => {
      const before = queued().length;
      for (const segment of segmentsFrom(4, 0, 5)) await fanOutSegment(aJob({ segment }), segment, inPagesOf(size));
      const made = queued().slice(before);
      expect(new Set(made.map(({ taskKey }) => taskKey)).size).toBe(made.length);
      return made.map(({ taskKey, subscriptionUuids }) => `${taskKey} ${subscriptionUuids}`).toSorted();
    };
    const whole = await keys(1000);
    expect(await keys(7)).toEqual(whole);
    expect(await keys(1)).toEqual(whole);
  });
});

it('fan-out processes the first page of subscriptions immediately and the other pages in segments', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => subscriber()));
  const paged = inPagesOf(10);
  // A segment can contain thousands of subscriptions. The estimate from the first ten of thirty subscriptions results
  // in only one segment.
  await fanOutMessage(aJob(), paged);
  const payloads = harness.payloadsIn<FanOutPayload>('fanOut');
  expect(payloads.length).toBeGreaterThan(0);
  const first = uuidsIn(queued());
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThanOrEqual(10);
  for (const payload of payloads) if (payload.segment) await fanOutSegment(payload, payload.segment, paged);
  expect(uuidsIn(queued()).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
});

describe('a reconciliation', () => {
  it('the next segment is queued only once, even if the queue delivers the current segment again', async () => {
    await subscriber();
    await fanOutMessage(aJob(), tools);
    const segment = { shardBits: 4, from: 0, to: 5 };
    const payload = aJob({ segment, isReconciliation: true });
    for (const _ of [1, 2]) await fanOutNextSegment(payload, segment, tools);
    const next = harness.payloadsIn<FanOutPayload>('fanOut').filter(({ segment }) => segment?.from === 5);
    expect(next).toHaveLength(1);
  });

  it.each(['short', 'long'])('no additional journal rows are written when a %s event is reconciled', async (length) => {
    const body = JSON.stringify({ source: 'CR', uin: '100', remarks: 'x'.repeat(length === 'long' ? 5000 : 1) });
    const bodyKey = length === 'long' ? 'publication-1' : undefined;
    const event = {
      ...aJob().notification,
      subject: 'death',
      bodyBase64: Buffer.from(body).toString('base64'),
      bodyKey,
    };
    const entries: JournalEntry[] = [];
    const journal = {
      putMany(entry: JournalEntry) {
        entries.push(entry);
        return tools.journal.putMany(entry);
      },
    };
    const payload = aJob({ notification: event });
    await fanOutMessage(payload, { ...tools, journal });
    await fanOutMessage(
      { ...payload, notification: withoutStoredBody(event), isReconciliation: true },
      { ...tools, journal },
    );
    expect(entries.map(({ rows }) => rows.map(({ uin }) => uin))).toEqual([['100']]);
  });

  it('if a long body is lost, fan-out reports the loss and records the publisher in the journal', async () => {
    const notification = { ...aJob().notification, subject: 'death', bodyBase64: undefined, bodyKey: 'lost' };
    const entries: JournalEntry[] = [];
    const putMany = async (entry: JournalEntry) => void entries.push(entry);
    const payload = aJob({ notification });
    await tools.deliveries.createMessage(notification, payload.publicationId, noon, expiresAt);
    await fanOutMessage(payload, { ...tools, journal: { putMany } });
    const { messageId, publisher } = notification;
    expect(entries).toMatchObject([{ id: `${messageId}#unread`, rows: [{ event: 'death', caller: publisher ?? '' }] }]);
    expect(faults).toMatchObject([{ errorName: 'missingBody', ids: { messageId } }]);
  });
});
