/*
 * Promise: a topic may have any number of subscribers. Fan-out is cut into segments that work side by side, that may die
 * and be run again, and that together reach everybody, each once; its cost per thousand subscribers is known.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sliceOf } from '../../shared/domain/deliveries/slice.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { FanOutPayload } from '../../shared/model/deliveries/fan-out-payload.ts';
import type { DeliveryTask } from '../../shared/model/deliveries/task.ts';
import { messageSlice } from '../../shared/storage/deliveries/rows.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { mortal } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness({}, ['topics', 'subscriptions']);
const count = 12_000;
const minutes = (many: number) => many * 60_000;
const uuidOf = (index: number) =>
  createHash('sha256')
    .update(`subscriber ${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
// Of so many, a difference in numbers says more than a list.
const of = (uuids: readonly string[]) => ({
  distinct: new Set(uuids).size,
  sent: uuids.length,
  strangers: uuids.filter((uuid) => !known.has(uuid)).length,
});
const all = { distinct: count, sent: count, strangers: 0 };
const everybody = Array.from({ length: count }, (_, index) => uuidOf(index)).toSorted();
const known = new Set(everybody);

// The console is quiet while a test runs.
let figures = '';
afterAll(() => console.info(figures));

describe('a topic of 12,000 subscribers, http and e-mail', () => {
  const calls = new Map<string, number>();

  beforeAll(async () => {
    const topic = await harness.newTopic('large');
    const people = Array.from({ length: count }, (_, index): Partial<StoredSubscription> => {
      const isMail = index % 3 === 0;
      const address = isMail ? `s${index}@example.org` : `http://receiver.example/${index}`;
      return { uuid: uuidOf(index), protocol: isMail ? 'email' : 'http', address };
    });
    await harness.subscribed(topic, ...people);
  });
  beforeEach(() => {
    calls.clear();
    harness.interfere({
      call: ({ command }, go) => {
        calls.set(command, (calls.get(command) ?? 0) + 1);
        return go();
      },
    });
  });

  const tasks = () => [...harness.payloadsIn<DeliveryTask>('http'), ...harness.payloadsIn<DeliveryTask>('email')];
  const told = () =>
    tasks()
      .flatMap(({ subscriptionUuids }) => subscriptionUuids)
      .toSorted();

  it('is told its first page at once, and the rest in segments, jobs of their own, which cover everybody once', async () => {
    await harness.publish('large', JSON.stringify({ source: 'x'.repeat(8000) }));
    calls.clear();
    await harness.workOnce('fanOut');
    const segments = harness.payloadsIn<FanOutPayload>('fanOut').map(({ segment }) => segment);
    // A segment names the long body too, without carrying it.
    for (const { notification } of harness.payloadsIn<FanOutPayload>('fanOut'))
      expect(notification).not.toHaveProperty('bodyBase64');
    expect(segments.length).toBeGreaterThanOrEqual(2);
    expect(segments.every((segment) => segment !== undefined)).toBe(true);
    const first = told();
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(count);
    await harness.work('fanOut');
    expect(of(told())).toEqual(all);
    // Each protocol has its queue; a task stays small, and names the long body without carrying it.
    expect(harness.payloadsIn<DeliveryTask>('http').every(({ protocol }) => protocol === 'http')).toBe(true);
    expect(harness.payloadsIn<DeliveryTask>('email').every(({ protocol }) => protocol === 'email')).toBe(true);
    expect(Math.max(...tasks().map(({ subscriptionUuids }) => subscriptionUuids.length))).toBeLessThanOrEqual(30);
    expect(tasks().every(({ content }) => !('bodyBase64' in content))).toBe(true);
    const total = [...calls.values()].reduce((sum, one) => sum + one, 0);
    const perThousand = Math.round((total / count) * 1000 * 10) / 10;
    figures = `fan-out: ${segments.length} segments, ${tasks().length} tasks, ${perThousand} AWS calls per 1,000 subscribers`;
    // Two protocols make two tasks of a bucket; one alone costs half as much.
    expect(perThousand).toBeLessThan(40);
  });

  it('gets the same tasks when segments die half-way and are run again', async () => {
    await harness.publish('large');
    await harness.workOnce('fanOut');
    // The segments are one batch here: the process dies in the middle of all of them.
    const process = mortal(60);
    harness.interfere(process.interference);
    await harness.workOnce('fanOut');
    harness.interfere({});
    const before = tasks();
    expect(process.hasStruck()).toBe(true);
    expect(before.length).toBeGreaterThan(50);
    expect(told().length).toBeLessThan(count);
    harness.pass(minutes(2));
    await harness.work('fanOut');
    const keyed = new Map(tasks().map((task) => [task.taskKey, task.subscriptionUuids.join()]));
    expect(of([...new Set(told())])).toEqual(all);
    // What was sent before is the same as what was sent again: the ledger's claim lets one of them through.
    for (const { taskKey, subscriptionUuids } of before) expect(keyed.get(taskKey)).toBe(subscriptionUuids.join());
  });

  it('is told once by segments that were run twice', async () => {
    const messageId = await harness.publish('large');
    await harness.workOnce('fanOut');
    // A part of the topic is enough: a sixteenth of it, twice.
    const [payload] = harness.payloadsIn<FanOutPayload>('fanOut');
    await harness.purge();
    const { bits } = payload?.segment ?? { bits: 0 };
    const part = { ...payload, segment: { bits, from: 0, to: 2 ** bits / 16 } };
    for (let time = 0; time < 2; time += 1) {
      await harness.send('fanOut', part);
      await harness.work('fanOut');
    }
    expect(new Set(told()).size).toBeLessThan(told().length);
    await harness.work('http', 'email');
    const wanted = everybody.filter((uuid) => uuid.startsWith('0'));
    expect(harness.accepted(messageId).toSorted()).toEqual(wanted);
    // The ledger's rows lie under a key for 32 buckets each, no more of them under one than under another.
    const keys = (await harness.rows('deliveries')).flatMap(({ messageSlice, outcomes }) =>
      outcomes ? [messageSlice] : [],
    );
    const counts = Object.values(Object.groupBy(keys, String)).map((some = []) => some.length);
    expect(counts).toHaveLength(2 ** bits / 32);
    expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(keys.length / counts.length) + 1);
  });

  it('is audited until everybody has the outcome, whatever the queues lose', async () => {
    await harness.publish('large');
    await harness.purge();
    harness.pass(minutes(11));
    await harness.sweep();
    await harness.work('fanOut');
    expect(of(told())).toEqual(all);
    await harness.purge();
    // What this audit sent is lost again: the next one, after four times as long, sends it anew.
    harness.pass(minutes(41));
    await harness.sweep();
    await harness.work('fanOut');
    expect(of(told())).toEqual(all);
    // Once all tasks are recorded nothing is sent any more, and the message is settled.
    const recorded = tasks().map(({ taskKey, bits, subscriptionUuids, content: { messageId } }) => ({
      ...{
        messageSlice: messageSlice({ messageId, slice: sliceOf(String(subscriptionUuids[0]), bits) }),
        taskKey,
        state: 'recorded',
        leaseId: 'lease',
        leaseUntil: harness.now(),
      },
      outcomes: Object.fromEntries(
        subscriptionUuids.map((uuid) => [uuid, { class: 'delivered', at: harness.now(), next: 'none' }]),
      ),
    }));
    await harness.write('deliveries', ...recorded);
    await harness.purge();
    harness.pass(minutes(161));
    await harness.sweep();
    await harness.work('fanOut');
    expect(tasks()).toEqual([]);
    expect(await harness.nextDue()).toBeUndefined();
  });
});
