import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as recoverJob } from '../../../functions/deliveries/recover.ts';
import { handler as recoverSubscription } from '../../../functions/deliveries/recover-subscription.ts';
import { handler as redeliverMessage } from '../../../functions/deliveries/redeliver-message.ts';
import { batchTaskKey, recoveryKey, singleTaskKey } from '../../../shared/domain/deliveries/task.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { messageShard, waitingKeys } from '../../../shared/storage/deliveries/rows.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const hourMs = 3_600_000;
const confirmed = { confirmedAt: noon - hourMs, createdAt: noon - 2 * hourMs };
const time = (epochMs: number): string => new Date(epochMs).toISOString();

const recover = (uuid: string, since?: number) =>
  harness.call(recoverSubscription, { path: { uuid }, query: since === undefined ? '' : `since=${time(since)}` });
const took = (uuid: string) => harness.posts.filter((post) => post.uuid === uuid).map(({ messageId }) => messageId);

async function paused(given: Partial<StoredSubscription> = {}) {
  const topic = await harness.newTopic();
  const pausing = { isActive: false, pausedReason: 'undeliverable' } as const;
  const [{ uuid }] = await harness.subscribed(topic, { ...confirmed, ...pausing, ...given });
  return { topic, uuid };
}

async function publishEach(topicName: string, count: number): Promise<string[]> {
  const ids = await harness.publishEach(topicName, count);
  await harness.work();
  return ids;
}

function waitingRow(uuid: string, given: object = {}) {
  const messageId = randomUUID();
  const keys = { messageShard: messageShard({ messageId, rowShard: 0 }), taskKey: singleTaskKey(uuid), messageId };
  return {
    ...keys,
    ...waitingKeys(uuid, { messageId, publishedAt: time(noon) }, noon + 1e12),
    state: 'waiting',
    attempt: 0,
    protocol: 'http',
    ...given,
  };
}

/** Activates the paused subscription after the given time. */
async function resume(uuid: string, afterMs = 2 * hourMs): Promise<void> {
  harness.moveTo(harness.now() + afterMs);
  await harness.resume(uuid);
}

/** Pauses a subscription, publishes messages that the subscription misses, and activates the subscription. */
async function missed(count: number, given: Partial<StoredSubscription> = {}) {
  const { topic, uuid } = await paused(given);
  const ids = await publishEach(topic.name, count);
  await resume(uuid);
  return { uuid, ids };
}

/** Creates a subscription without retries. */
async function withoutRetries() {
  const topic = await harness.newTopic();
  const [{ uuid }] = await harness.subscribed(topic, { ...confirmed, maxRetries: 0 });
  return { topic, uuid };
}

describe('a recovery', () => {
  it('a recovery delivers each message that the subscription missed while it was paused, but delivers it only once', async () => {
    const { uuid, ids } = await missed(45);
    const { status, json } = await recover(uuid);
    expect([status, json]).toEqual([202, { since: time(noon - hourMs), until: time(harness.now()) }]);
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
    await recover(uuid);
    await harness.live();
    expect(took(uuid)).toHaveLength(45);
  });

  it('a recovery delivers no message twice, even if several recoveries are requested at the same time', async () => {
    const { uuid, ids } = await missed(25);
    const starts = [noon + hourMs, noon, noon, 0, noon + 10_000].map((since) => recover(uuid, since));
    expect((await Promise.all(starts)).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('a recovery redelivers failed messages but skips delivered messages', async () => {
    const { topic, uuid } = await withoutRetries();
    await publishEach(topic.name, 2);
    harness.answer(rejects);
    const failed = await publishEach(topic.name, 3);
    await harness.live({ isSwept: false });
    expect(harness.failures.map(({ messageId }) => messageId).toSorted()).toEqual(failed.toSorted());
    harness.answer(accepts);
    harness.posts.length = 0;
    await recover(uuid);
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(failed.toSorted());
  });

  it('a recovery skips messages whose first delivery succeeded and whose redelivery failed', async () => {
    const { topic, uuid } = await withoutRetries();
    const [messageId = ''] = await publishEach(topic.name, 1);
    harness.answer(rejects);
    await harness.call(redeliverMessage, { path: { uuid, messageId } });
    await harness.live({ isSwept: false });
    harness.answer(accepts);
    harness.posts.length = 0;
    await recover(uuid);
    await harness.live();
    expect(took(uuid)).toEqual([]);
  });

  it('a recovery skips messages published before the confirmation or the requested time, and messages that the filter rejects', async () => {
    const { topic, uuid } = await paused({ confirmedAt: noon + 2500, subjects: ['death'] });
    const publish = async (subject: string) => {
      harness.moveTo(harness.now() + 1000);
      return harness.publish(topic.name, '{"source":"CR","uin":"1"}', {}, `subject=${subject}`);
    };
    const ids: string[] = [];
    for (const subject of ['death', 'death', 'death', 'liveBirth', 'death']) ids.push(await publish(subject));
    await harness.work();
    await resume(uuid);
    await recover(uuid, noon + 4500);
    await harness.live();
    expect(took(uuid)).toEqual([ids[4]]);
    await recover(uuid, 0);
    await harness.live();
    expect(took(uuid).toSorted()).toEqual([ids[2], ids[4]].toSorted());
  });

  it('a recovery has at most 20 pending messages at a time, and continues as messages are delivered', async () => {
    const { uuid, ids } = await missed(60, { countdownSeconds: 600, maxRetries: 3 });
    harness.answer(rejects);
    await recover(uuid);
    await harness.live({ until: harness.now() + 60_000, isSwept: false });
    expect(new Set(took(uuid)).size).toBeLessThanOrEqual(20);
    expect(took(uuid).length).toBeGreaterThan(0);
    harness.answer(accepts);
    await harness.live({ mostEvents: 2000 });
    expect(harness.accepted(ids[59] ?? '')).toEqual([uuid]);
    expect(new Set(took(uuid))).toEqual(new Set(ids));
  });

  it('a recovery does not count stuck messages or confirmation requests as pending', async () => {
    const { uuid, ids } = await missed(3);
    const resting = Array.from({ length: 240 }, (_, index) =>
      waitingRow(uuid, index % 2 === 0 ? { isStuck: true } : { isConfirmation: true }),
    );
    await harness.write('deliveries', ...resting);
    await recover(uuid);
    await harness.live({ until: harness.now() + hourMs });
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('a recovery reads no messages while 20 messages are pending, and checks again at increasing intervals', async () => {
    const { uuid, ids } = await missed(3);
    const inTheWay = Array.from({ length: 20 }, () => waitingRow(uuid));
    await harness.write('deliveries', ...inTheWay);
    await recover(uuid);
    const calls = harness.recordCalls();
    await harness.live({ until: harness.now() + hourMs, isSwept: false });
    expect(calls).not.toContain('BatchGetItem');
    const steps = calls.filter((command) => command === 'SendMessage');
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.length).toBeLessThan(20);
    await harness.write('deliveries', ...inTheWay.map((row) => ({ ...row, isStuck: true })));
    await harness.live({ until: harness.now() + hourMs });
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('a recovery also redelivers earlier messages if it is requested again with an earlier start time', async () => {
    const { uuid, ids } = await missed(30);
    for (let times = 1; times <= 15; times++) {
      await recoverJob({ subscription: uuid, since: time(noon + 15_000 - times) });
      await harness.live({ until: harness.now() + 4000, isSwept: false });
    }
    expect(took(uuid).toSorted()).toEqual(ids.slice(14).toSorted());
    await recoverJob({ subscription: uuid });
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('a stuck recovery continues if it is requested again', async () => {
    const { uuid, ids } = await missed(3);
    await recover(uuid);
    harness.emptyQueues();
    const row = (await harness.rows('deliveries')).find(({ taskKey }) => taskKey === recoveryKey);
    const { sweepShard: _, sweepAt: __, ...resting } = row ?? {};
    await harness.write('deliveries', { ...resting, isStuck: true });
    await harness.live();
    expect(took(uuid)).toEqual([]);
    await recover(uuid);
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('the sweeper resumes a recovery if the queue loses its next step', async () => {
    const { topic, uuid } = await paused();
    const ids = await publishEach(topic.name, 3);
    await harness.live();
    await resume(uuid);
    await recover(uuid);
    harness.emptyQueues();
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.toSorted());
  });

  it('a recovery delivers a message only when its fan-out can no longer be in progress', async () => {
    const { topic, uuid } = await paused();
    const messageId = await harness.publishAndWork(topic.name);
    await resume(uuid, 1000);
    await recover(uuid);
    await harness.live({ until: noon + 50_000 });
    expect(took(uuid)).toEqual([]);
    await harness.live();
    expect(took(uuid)).toEqual([messageId]);
  });

  it('if a run died with a lease on a batch, a recovery delivers the message after the lease has expired', async () => {
    const { topic, uuid } = await paused();
    const [messageId = ''] = await publishEach(topic.name, 1);
    await resume(uuid, 90_000);
    const key = { messageShard: messageShard({ messageId, rowShard: 0 }), taskKey: batchTaskKey('http', 0, 0) };
    const leaseUntil = harness.now() + 60_000;
    await harness.write('deliveries', { ...key, state: 'leased', leaseId: 'died', leaseUntil });
    await recover(uuid);
    await harness.live({ until: leaseUntil });
    expect(took(uuid)).toEqual([]);
    await harness.live();
    expect(took(uuid)).toEqual([messageId]);
  });

  it('a recovery ends if the subscription is paused again', async () => {
    const { uuid } = await missed(3);
    await recover(uuid);
    const { activeSince: _, ...stored } = await harness.subscription(uuid);
    await harness.put('subscriptions', rowOf({ ...stored, isActive: false, pausedReason: 'gone' }));
    await harness.live();
    expect(took(uuid)).toEqual([]);
    expect(await recover(uuid)).toMatchObject({ status: 409, json: { code: 1409 } });
  });

  it('an operator can start a recovery', async () => {
    const { uuid, ids } = await missed(3);
    expect(await recoverJob({ subscription: uuid, since: time(noon + 1500) })).toMatchObject({
      since: time(noon + 1500),
    });
    await harness.live();
    expect(took(uuid).toSorted()).toEqual(ids.slice(1).toSorted());
  });
});
