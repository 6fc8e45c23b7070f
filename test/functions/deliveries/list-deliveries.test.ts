import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as listDeliveries } from '../../../functions/deliveries/list-deliveries.ts';
import type { Delivery } from '../../../shared/domain/deliveries/delivery.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { aRequest, noon } from '../../harness/builders.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { accepts, rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const { aSubscriber } = harness;
const hourMs = 3_600_000;
const at = (epochMs: number) => new Date(epochMs).toISOString();

async function list(uuid: string, query: Record<string, string> = {}) {
  const asked = new URLSearchParams(query).toString();
  const { status, json, headers } = await harness.call(listDeliveries, { path: { uuid }, query: asked });
  return { status, json, deliveries: json as Delivery[], link: String(headers?.link ?? '') };
}

describe('the deliveries of a subscription', () => {
  it('listDeliveries returns the attempts and the time of the next attempt', async () => {
    const { topic, uuid } = await aSubscriber({ countdownSeconds: 60, maxRetries: 5 });
    harness.answer(({ uuid: to }) =>
      to === uuid ? { class: 'http', status: 503 } : { class: 'delivered', status: 200 },
    );
    const messageId = await harness.publish(topic.name);
    await harness.live({ until: noon + 90_000, isSwept: false });
    const { deliveries } = await list(uuid);
    expect(deliveries).toEqual([
      {
        messageId,
        publishedAt: new Date(noon).toISOString(),
        state: 'waiting',
        attempts: [
          { at: new Date(noon).toISOString(), class: 'http', status: 503, durationMs: 0 },
          { at: expect.any(String), class: 'http', status: 503, durationMs: 0 },
        ],
        nextAttemptAt: expect.any(String),
      },
    ]);
    const [{ attempts = [], nextAttemptAt } = {}] = deliveries;
    const second = Date.parse(String(attempts[1]?.at));
    expect(second).toBeGreaterThanOrEqual(noon + 60_000);
    expect(Date.parse(String(nextAttemptAt))).toBeGreaterThanOrEqual(second + 60_000);
    harness.answer(accepts);
    await harness.live({ isSwept: false });
    const [after] = (await list(uuid)).deliveries;
    expect(after).toMatchObject({ state: 'delivered' });
    expect(after?.attempts.map(({ class: kind }) => kind)).toEqual(['http', 'http', 'delivered']);
    expect(after).not.toHaveProperty('nextAttemptAt');
  });

  it('listDeliveries returns each message once, page by page, with the newest message first', async () => {
    const { topic, uuid } = await aSubscriber();
    const ids = await harness.publishEach(topic.name, 7);
    await harness.work();
    const seen: string[] = [];
    let query: Record<string, string> = { limit: '3' };
    for (let page = 0; page < 5; page++) {
      const { deliveries, link } = await list(uuid, query);
      expect(deliveries.length).toBeLessThanOrEqual(3);
      seen.push(...deliveries.map(({ messageId }) => messageId));
      if (link === '') break;
      query = Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('?') + 1, link.indexOf('>'))));
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('listDeliveries can filter deliveries by state and message ID', async () => {
    const { topic, uuid } = await aSubscriber({ maxRetries: 0 });
    const [first = '', second = ''] = await harness.publishEach(topic.name, 2);
    await harness.work();
    harness.answer(rejects);
    const third = await harness.publishAndWork(topic.name);
    expect((await list(uuid, { state: 'failed' })).deliveries.map(({ messageId }) => messageId)).toEqual([third]);
    const delivered = await list(uuid, { state: 'delivered', limit: '1' });
    expect(delivered.deliveries.map(({ messageId }) => messageId)).toEqual([second]);
    expect(delivered.link).toContain('state=delivered');
    expect((await list(uuid, { messageId: first })).deliveries).toMatchObject([
      { messageId: first, state: 'delivered' },
    ]);
    expect((await list(uuid, { messageId: first, state: 'failed' })).deliveries).toEqual([]);
    expect((await list(uuid, { messageId: randomUUID() })).deliveries).toEqual([]);
  });

  it('listDeliveries excludes messages that were published before the confirmation or to another topic', async () => {
    const { topic, uuid } = await aSubscriber({ confirmedAt: noon + hourMs, isActive: false, requests: {} });
    const early = await harness.publishAndWork(topic.name);
    harness.moveTo(noon + hourMs);
    const other = await aSubscriber();
    const elsewhere = await harness.publishAndWork(other.topic.name);
    expect((await list(uuid)).deliveries).toEqual([]);
    expect((await list(uuid, { messageId: early })).deliveries).toEqual([]);
    expect((await list(uuid, { messageId: elsewhere })).deliveries).toEqual([]);
  });

  it('listDeliveries excludes messages that the filter rejects, except messages sent before the filter was set', async () => {
    const { topic, uuid } = await aSubscriber();
    const sent = await harness.publishAndWork(topic.name);
    await harness.put('subscriptions', rowOf({ ...(await harness.subscription(uuid)), subjects: ['death'] }));
    harness.moveTo(noon + 1000);
    const kept = await harness.publishAndWork(topic.name);
    expect((await list(uuid)).deliveries.map(({ messageId }) => messageId)).toEqual([sent]);
    expect((await list(uuid, { messageId: kept })).deliveries).toEqual([]);
  });

  it('listDeliveries shows messages as "waiting" before fan-out, and as "missed" while the subscription is paused', async () => {
    const { topic, uuid, other } = await aSubscriber({ isActive: false, pausedReason: 'gone', requests: {} });
    const messageId = await harness.publish(topic.name);
    expect((await list(other)).deliveries).toMatchObject([{ messageId, state: 'waiting', attempts: [] }]);
    await harness.work();
    expect((await list(uuid)).deliveries).toMatchObject([{ messageId, state: 'missed', attempts: [] }]);
    expect((await list(other)).deliveries).toMatchObject([{ messageId, state: 'delivered' }]);
  });

  it('listDeliveries returns the open confirmation requests of an inactive subscription before its messages', async () => {
    const requests = { hash: aRequest({ maxRetries: 3 }) };
    const { topic, uuid, other } = await aSubscriber({ isActive: false, pausedReason: 'gone', requests });
    const [asked = ''] = Object.values(requests).map(({ messageId }) => messageId);
    const outcome = { class: 'connect', code: 'ECONNREFUSED', at: noon + 7, tookMs: 7, next: 'retry' };
    const keys = { messageShard: `${asked}#0`, taskKey: `one#${uuid}`, messageId: asked, protocol: 'http' };
    const notBefore = noon + 60_000;
    await harness.write('deliveries', {
      ...keys,
      state: 'waiting',
      attempt: 0,
      outcome,
      notBefore,
      isConfirmation: true,
    });
    const messageId = await harness.publish(topic.name);
    const attempts = [{ at: at(noon), class: 'connect', code: 'ECONNREFUSED', durationMs: 7 }];
    const kind = { type: 'SubscriptionConfirmation', publishedAt: at(noon), state: 'waiting' };
    const confirmation = { messageId: asked, ...kind, attempts, nextAttemptAt: at(notBefore) };
    expect((await list(uuid)).deliveries).toEqual([confirmation, expect.objectContaining({ messageId })]);
    expect((await list(uuid, { messageId: asked })).deliveries).toEqual([confirmation]);
    expect((await list(uuid, { state: 'missed' })).deliveries).toMatchObject([{ messageId }]);
    expect((await list(other)).deliveries).toMatchObject([{ messageId }]);
    const { deliveries, link } = await list(uuid, { limit: '1' });
    expect(deliveries).toEqual([confirmation]);
    const query = Object.fromEntries(new URLSearchParams(link.slice(link.indexOf('?') + 1, link.indexOf('>'))));
    expect((await list(uuid, query)).deliveries).toMatchObject([{ messageId }]);
  });

  it('listDeliveries never returns a message body, an address or the ID of another subscription', async () => {
    const { topic, uuid, other } = await aSubscriber();
    await harness.publishAndWork(topic.name, '{"source":"CR","uin":"secret"}');
    const { json } = await list(uuid);
    expect(JSON.stringify(json)).not.toMatch(new RegExp(`secret|receiver|${uuid}|${other}`));
    expect(json).toHaveLength(1);
  });

  it('listDeliveries returns an empty list for a cursor older than the retention period, and 400 for a future cursor', async () => {
    const { topic, uuid } = await aSubscriber();
    await harness.publishEach(topic.name, 2);
    await harness.work();
    const placeAt = (time: number): string =>
      Buffer.from(`${new Date(time).toISOString()}/${randomUUID()}`).toString('base64url');
    const tooOld = noon - 40 * 24 * hourMs;
    const calls = harness.recordCalls();
    expect(await list(uuid, { cursor: placeAt(tooOld) })).toMatchObject({ status: 200, deliveries: [], link: '' });
    // DynamoDB would reject a query with a cursor this old, so the function does not send the query.
    expect(calls).toEqual(['GetItem']);
    expect((await list(uuid, { cursor: placeAt(harness.now()) })).deliveries).toHaveLength(2);
    const early = await list(uuid, { cursor: placeAt(harness.now() + 1) });
    expect(early).toMatchObject({ status: 400, json: { code: 1002, message: expect.stringContaining('cursor') } });
  });

  it('listDeliveries makes a limited number of AWS calls, regardless of the number of messages', async () => {
    const { topic, uuid } = await aSubscriber();
    await harness.publishedBefore(topic, 620);
    const calls = harness.recordCalls();
    expect((await list(uuid, { limit: '100' })).deliveries).toHaveLength(100);
    expect(calls.toSorted()).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem', 'GetItem', 'Query']);
    calls.length = 0;
    const { deliveries, link } = await list(uuid, { state: 'failed' });
    expect(deliveries).toEqual([]);
    expect(link).not.toBe('');
    expect(calls).toHaveLength(1 + 3 + 4 * 4);
  });
});
