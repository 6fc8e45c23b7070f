import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as listDeliveries } from '../../../functions/deliveries/list-deliveries.ts';
import { handler as redeliverMessage } from '../../../functions/deliveries/redeliver-message.ts';
import { handler as change } from '../../../functions/subscriptions/change-subscription.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const hourMs = 3_600_000;

const redeliver = (uuid: string, messageId: string) => harness.call(redeliverMessage, { path: { uuid, messageId } });
const listed = async (uuid: string) => (await harness.call(listDeliveries, { path: { uuid } })).json[0];
const took = (messageId: string, uuid: string) => harness.accepted(messageId).filter((one) => one === uuid).length;

const aSubscriber = (given = {}) => harness.aSubscriber({ maxRetries: 1, ...given });
/** Creates a topic with one subscription, and publishes a message that the subscription misses. */
async function missing(given: object) {
  const topic = await harness.newTopic();
  const [{ uuid } = expect.unreachable()] = await harness.subscribed(topic, { confirmedAt: noon - hourMs, ...given });
  const messageId = await harness.publishAndWork(topic.name);
  return { uuid, messageId };
}
const paused = { isActive: false, pausedReason: 'gone' };

describe('a message for a subscription', () => {
  it('a failed message gets the full number of retries again when it is redelivered', async () => {
    const { topic, uuid } = await aSubscriber({ countdownSeconds: 10 });
    harness.answer(({ uuid: to }) =>
      to === uuid ? { class: 'http', status: 500 } : { class: 'delivered', status: 200 },
    );
    const messageId = await harness.publish(topic.name);
    await harness.live({ isSwept: false });
    expect(await listed(uuid)).toMatchObject({ state: 'failed' });
    const { status, json } = await redeliver(uuid, messageId);
    expect([status, json]).toMatchObject([202, { messageId, state: 'waiting', nextAttemptAt: expect.any(String) }]);
    await harness.live({ isSwept: false });
    expect((await listed(uuid)).attempts).toHaveLength(4);
    harness.answer(accepts);
    expect((await redeliver(uuid, messageId)).status).toBe(202);
    await harness.live();
    expect(await listed(uuid)).toMatchObject({ state: 'delivered' });
    expect(took(messageId, uuid)).toBe(1);
  });

  it.each([
    ['a batch delivery', accepts, 1],
    ['a single delivery', rejects, 2],
  ])('a message can be redelivered after %s, but simultaneous requests send it once', async (_by, first, tries) => {
    const { topic, uuid, other } = await aSubscriber({ countdownSeconds: 10 });
    harness.answer(first);
    const messageId = await harness.publishAndWork(topic.name);
    harness.answer(accepts);
    await harness.live({ isSwept: false });
    const twice = await Promise.all([redeliver(uuid, messageId), redeliver(uuid, messageId)]);
    expect(twice.map(({ status }) => status)).toEqual([202, 202]);
    await harness.live();
    expect(took(messageId, uuid)).toBe(2);
    expect(took(messageId, other)).toBe(1);
    const { state, attempts } = await listed(uuid);
    expect([state, attempts.length]).toEqual(['delivered', tries + 1]);
    await redeliver(uuid, messageId);
    await harness.live();
    expect(took(messageId, uuid)).toBe(3);
  });

  it('a redelivery request does not change the next attempt time of a message that is waiting for a retry', async () => {
    const { topic, uuid } = await aSubscriber({ countdownSeconds: 600 });
    harness.answer(rejects);
    const messageId = await harness.publishAndWork(topic.name);
    const { nextAttemptAt } = await listed(uuid);
    const { status, json } = await redeliver(uuid, messageId);
    expect([status, json]).toMatchObject([202, { state: 'waiting', nextAttemptAt }]);
    await harness.work();
    expect((await listed(uuid)).attempts).toHaveLength(1);
  });

  it('a message that a changed filter now accepts is listed as missed, and can later be redelivered', async () => {
    const { uuid, messageId } = await missing({ subjects: ['death'] });
    harness.moveTo(noon + 30_000);
    expect((await harness.call(change, { path: { uuid }, body: '{"subjects":null}' })).status).toBe(200);
    expect(await listed(uuid)).toMatchObject({ state: 'missed' });
    expect(await redeliver(uuid, messageId)).toMatchObject({ status: 409, json: { code: 1410 } });
    harness.moveTo(noon + 90_000);
    expect(await redeliver(uuid, messageId)).toMatchObject({ status: 202 });
    await harness.live();
    expect(took(messageId, uuid)).toBe(1);
  });

  it('two redelivery requests send a missed message only once, even if its shard had no active subscription', async () => {
    const { uuid, messageId } = await missing(paused);
    harness.moveTo(noon + 30_000);
    await harness.resume(uuid);
    expect(await redeliver(uuid, messageId)).toMatchObject({ status: 409, json: { code: 1410 } });
    harness.moveTo(noon + 90_000);
    const replies = await Promise.all([redeliver(uuid, messageId), redeliver(uuid, messageId)]);
    expect(replies).toMatchObject([{ status: 202 }, { status: 202 }]);
    expect(harness.payloadsIn('http')).toHaveLength(1);
    await harness.live();
    expect(took(messageId, uuid)).toBe(1);
    expect(await listed(uuid)).toMatchObject({ state: 'delivered' });
  });

  it('a redelivered message is delivered only once, even if a late fan-out also sends it', async () => {
    const again: unknown[] = [];
    harness.interfere({
      batch: (queue, messages) => {
        if (queue === 'fanOut') again.push(...messages.map(({ Body }) => JSON.parse(String(Body))));
        return messages;
      },
    });
    const { uuid, messageId } = await missing(paused);
    harness.interfere({});
    harness.moveTo(noon + 90_000);
    await harness.resume(uuid);
    await redeliver(uuid, messageId);
    for (const payload of again) await harness.send('fanOut', payload);
    await harness.live();
    expect(again).not.toEqual([]);
    expect(took(messageId, uuid)).toBe(1);
  });

  it.each([
    ['pending', { isActive: false, confirmedAt: undefined }],
    ['paused', { isActive: false, pausedReason: 'undeliverable' as const }],
  ])('a message is not redelivered while the subscription is %s', async (_what, given) => {
    const { topic, uuid } = await aSubscriber(given);
    const messageId = await harness.publishAndWork(topic.name);
    expect(await redeliver(uuid, messageId)).toMatchObject({ status: 409, json: { code: 1409 } });
  });

  it('a redelivery request returns 404 if the message does not belong to the subscription', async () => {
    const { uuid } = await aSubscriber();
    const { topic } = await aSubscriber();
    const elsewhere = await harness.publishAndWork(topic.name);
    for (const messageId of [elsewhere, randomUUID()]) {
      expect(await redeliver(uuid, messageId)).toMatchObject({ status: 404, json: { code: 1044 } });
    }
    expect(await redeliver(randomUUID(), elsewhere)).toMatchObject({ status: 404, json: { code: 1042 } });
  });

  it.each([
    ['http', 60, {}],
    ['email', 10, { protocol: 'email' as const, address: 'ann@example.org' }],
  ])('an %s subscription gets at most %i redeliveries per clock hour', async (_protocol, most, given) => {
    const { topic, uuid, other } = await aSubscriber(given);
    const messageId = await harness.publish(topic.name);
    await harness.live({ isSwept: false });
    const again = async (): Promise<number> => {
      const { status } = await redeliver(uuid, messageId);
      await harness.work();
      return status;
    };
    for (let times = 0; times < most; times++) expect(await again()).toBe(202);
    harness.moveTo(noon + hourMs - 90_500);
    const { status, json, headers } = await redeliver(uuid, messageId);
    expect([status, json.code, headers?.['retry-after']]).toEqual([429, 1431, '91']);
    await harness.work();
    expect(took(messageId, uuid)).toBe(1 + most);
    expect((await redeliver(other, messageId)).status).toBe(202);
    harness.moveTo(noon + hourMs);
    expect(await again()).toBe(202);
  });

  it('a redelivery request for an unknown message does not count towards the hourly limit', async () => {
    const { uuid } = await aSubscriber();
    await redeliver(uuid, randomUUID());
    expect(await harness.rows('limits')).toEqual([]);
  });

  it('a message is not redelivered if the current filter rejects it', async () => {
    const { topic, uuid } = await aSubscriber();
    const messageId = await harness.publishAndWork(topic.name);
    await harness.put('subscriptions', rowOf({ ...(await harness.subscription(uuid)), subjects: ['death'] }));
    expect(await redeliver(uuid, messageId)).toMatchObject({ status: 404, json: { code: 1044 } });
  });
});
