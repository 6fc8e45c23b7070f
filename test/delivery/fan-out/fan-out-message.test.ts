import { beforeEach, describe, expect, it } from 'vitest';
import { fanOutWhole } from '../../../shared/delivery/engine/fan-out.ts';
import { fanOutSegment } from '../../../shared/delivery/engine/fan-out-segment.ts';
import type { FanOutWholeTools } from '../../../shared/delivery/engine/fan-out-tools.ts';
import { segmentsFrom } from '../../../shared/domain/deliveries/plan-tasks.ts';
import { refer } from '../../../shared/domain/messages/refer.ts';
import type { FanOutPayload } from '../../../shared/model/deliveries/fan-out-payload.ts';
import type { DeliveryTask } from '../../../shared/model/deliveries/task.ts';
import type { Fault } from '../../../shared/model/faults.ts';
import type { JournalEntry } from '../../../shared/model/journal/journal-row.ts';
import { ledger } from '../../../shared/storage/deliveries/ledger.ts';
import { journal } from '../../../shared/storage/journal/journal.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/subscriptions.ts';
import { noon } from '../../harness/builders.ts';
import { aPublication, expiresAt } from '../../harness/deliveries.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, queued } = harness;
let tools: FanOutWholeTools;
let faults: Fault[];
beforeEach(() => {
  faults = [];
  const { dynamodb, sqs, tables, queues } = harness;
  tools = {
    subscriptions: subscriptions.permissions.fanOut(dynamodb.client, tables.subscriptions),
    ledger: {
      ...ledger.permissions.open(dynamodb.client, tables.deliveries),
      ...ledger.permissions.fanOut(dynamodb.client, tables.deliveries),
    },
    messages: harness.bodies(),
    journal: journal.permissions.writeMany(dynamodb.client, tables.journal),
    queues: {
      ...queueStore.permissions.fanOut(sqs.client, queues.fanOut),
      ...queueStore.permissions.http(sqs.client, queues.http),
      ...queueStore.permissions.mass(sqs.client, queues.mass),
      ...queueStore.permissions.email(sqs.client, queues.email),
    },
    now: harness.now,
    onFault: (fault) => faults.push(fault),
    settings: { subscriptionsPerTask: 3, ledgerDays: 30, journalDays: 400 },
  };
});

const aJob = (given: Partial<FanOutPayload> = {}): FanOutPayload => ({
  publicationId: 'publication-1',
  notification: aPublication({ topicUuid: topic.uuid, generation: topic.generation }),
  ...given,
});
const emailed = () => harness.payloadsIn<DeliveryTask>('email');
const messageRow = async () => (await harness.ledger()).find(({ taskKey }) => taskKey === 'message');
const uuidsIn = (tasks: readonly DeliveryTask[]) => tasks.flatMap(({ subscriptionUuids }) => subscriptionUuids);

/** The same subscriptions, a few to a page. */
const inPagesOf = (size: number): FanOutWholeTools => ({
  ...tools,
  subscriptions: {
    async *active(...given) {
      const all = (await Array.fromAsync(tools.subscriptions.active(...given))).flat();
      for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
    },
  },
});

describe('a topic that fits a page', () => {
  it('is cut into tasks of its active subscriptions, each to the queue of its protocol', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => subscriber()));
    const clerk = await subscriber({ protocol: 'email', address: 'clerk@example.org' });
    await subscriber({ isActive: false });
    const payload = aJob();
    await fanOutWhole(payload, tools);
    expect(uuidsIn(queued()).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
    expect(emailed()).toMatchObject([
      { protocol: 'email', isSingle: false, attempt: 0, subscriptionUuids: [clerk.uuid] },
    ]);
    expect(queued().length).toBeGreaterThan(1);
    for (const { content } of queued()) expect(content).toEqual({ type: 'Notification', ...payload.notification });
    expect(await messageRow()).toMatchObject({ ...payload.notification, publicationId: 'publication-1', bits: 3 });
  });

  it('keeps a long body by its key where publish could not, and names it only', async () => {
    await subscriber();
    const body = Buffer.alloc(5000, 'x').toString('base64');
    const notification = { ...aJob().notification, bodyBase64: body, bodyKey: 'publication-1' };
    await fanOutWhole(aJob({ notification }), tools);
    expect(queued().map(({ content }) => content)).toMatchObject([{ bodyKey: 'publication-1' }]);
    expect([queued()[0]?.content, await messageRow()].map((one) => 'bodyBase64' in Object(one))).toEqual([
      false,
      false,
    ]);
    expect(await harness.bodies().bodyOf('publication-1')).toBe(body);
  });

  it.each([
    ['refers to', undefined],
    ['brings', 'e30='],
  ])(
    'is not told by an audit of a message that its payload %s and the ledger has forgotten',
    async (_what, bodyBase64) => {
      await subscriber();
      const notification = { ...aJob().notification, bodyBase64 };
      await fanOutWhole(aJob({ notification, isAudit: true }), tools);
      expect(queued()).toEqual([]);
      expect(await messageRow()).toBeUndefined();
    },
  );

  it('is cut the same way when the job runs again, whoever came since', async () => {
    await Promise.all(Array.from({ length: 6 }, () => subscriber()));
    const payload = aJob();
    await fanOutWhole(payload, tools);
    const first = new Map(
      queued().flatMap(({ taskKey, subscriptionUuids }) => subscriptionUuids.map((uuid) => [uuid, taskKey])),
    );
    await Promise.all(Array.from({ length: 40 }, () => subscriber()));
    await fanOutWhole(payload, tools);
    for (const { taskKey, subscriptionUuids } of queued()) {
      for (const uuid of subscriptionUuids) expect(first.get(uuid) ?? taskKey).toBe(taskKey);
    }
    expect(await messageRow()).toMatchObject({ bits: 1 });
  });

  it('is not told again by another call under the same key', async () => {
    await subscriber();
    const payload = aJob();
    await fanOutWhole(payload, tools);
    await fanOutWhole({ ...payload, publicationId: 'payload-2' }, tools);
    expect(queued()).toHaveLength(1);
  });
});

describe('a segment', () => {
  it('makes the same tasks whatever the pages: none is cut in two', async () => {
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

describe('a topic of many pages', () => {
  it('is told its first page at once and the rest in segments, which leave nobody out and take nobody twice', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => subscriber()));
    const paged = inPagesOf(10);
    // What is estimated from the first ten of thirty: about as many; the segments are of thousands, so there is one.
    await fanOutWhole(aJob(), paged);
    const payloads = harness.payloadsIn<FanOutPayload>('fanOut');
    expect(payloads.length).toBeGreaterThan(0);
    const first = uuidsIn(queued());
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThanOrEqual(10);
    for (const payload of payloads) if (payload.segment) await fanOutSegment(payload, payload.segment, paged);
    expect(uuidsIn(queued()).toSorted()).toEqual(people.map(({ uuid }) => uuid).toSorted());
  });
});

describe('an audit', () => {
  const audit = (payload: FanOutPayload) => fanOutWhole({ ...payload, isAudit: true }, tools);
  const isSettled = async () => (await messageRow())?.sweepShard === undefined;

  it('settles a message of which everybody has their outcome', async () => {
    await Promise.all(Array.from({ length: 5 }, () => subscriber()));
    const payload = aJob();
    await fanOutWhole(payload, tools);
    for (const task of queued()) await deliver(task);
    const before = queued().length;
    await audit(payload);
    expect(queued()).toHaveLength(before);
    expect(await isSettled()).toBe(true);
  });

  it('sends the tasks that the queue has lost, and only those, and is not the last', async () => {
    await Promise.all(Array.from({ length: 12 }, () => subscriber()));
    const payload = aJob();
    await fanOutWhole(payload, tools);
    const [lost, ...others] = queued();
    for (const task of others) await deliver(task);
    const before = queued().length;
    await audit(payload);
    expect(queued().slice(before)).toEqual([lost]);
    expect(await isSettled()).toBe(false);
  });

  it('waits for a task that is being worked on', async () => {
    await subscriber();
    const payload = aJob();
    await fanOutWhole(payload, tools);
    const [task] = queued();
    if (task === undefined) throw new Error('no task was made');
    const dying = { ...harness.engine.ledger, record: () => Promise.reject(new Error('killed')) };
    await expect(deliver(task, { ...harness.engine, ledger: dying })).rejects.toThrow('killed');
    await audit(payload);
    expect(queued()).toHaveLength(1);
    expect(await isSettled()).toBe(false);
    harness.pass(60_000);
    await audit(payload);
    expect(queued()).toHaveLength(2);
  });

  it.each(['short', 'long'])('leaves the rows of the journal of a %s event as they are', async (length) => {
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
    await fanOutWhole(payload, { ...tools, journal });
    await fanOutWhole({ ...payload, notification: refer(event), isAudit: true }, { ...tools, journal });
    expect(entries.map(({ rows }) => rows.map(({ uin }) => uin))).toEqual([['100']]);
  });

  it('says so where a long body is lost, and notes who published what', async () => {
    const notification = { ...aJob().notification, subject: 'death', bodyBase64: undefined, bodyKey: 'lost' };
    const entries: JournalEntry[] = [];
    const putMany = async (entry: JournalEntry) => void entries.push(entry);
    const payload = aJob({ notification });
    await tools.ledger.open(notification, payload.publicationId, noon, expiresAt);
    await fanOutWhole(payload, { ...tools, journal: { putMany } });
    const { messageId, publisher } = notification;
    expect(entries).toMatchObject([{ id: `${messageId}#unread`, rows: [{ event: 'death', caller: publisher ?? '' }] }]);
    expect(faults).toMatchObject([{ fault: 'missingBody', ids: { messageId } }]);
  });

  it('tells nobody who came after the message', async () => {
    const [early] = [await subscriber({ activeSince: noon + 5000 }), await subscriber({ activeSince: noon + 5001 })];
    const notification = aPublication({ topicUuid: topic.uuid, generation: topic.generation });
    const payload = aJob({ notification });
    await tools.ledger.open(notification, payload.publicationId, noon, expiresAt);
    await audit(payload);
    expect(uuidsIn(queued())).toEqual([early.uuid]);
  });
});
