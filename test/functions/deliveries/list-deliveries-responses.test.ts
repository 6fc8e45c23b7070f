import { describe, expect, it } from 'vitest';
import type { SendResult } from '../../../shared/delivery/delivery-context.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { noon } from '../../harness/builders.ts';
import { readConsole } from '../../harness/console-lines.ts';
import { type Role, roles, useOwnership } from '../../harness/ownership-harness.ts';

const lines = readConsole();
const fails: SendResult = { class: 'http', status: 400, response: 'unknown key' };

describe('the response to a failed attempt', () => {
  // Under shared ownership, other clients can also list the deliveries.
  const harness = useOwnership('shared');
  const responses = async (role: Role, uuid: string, query = ''): Promise<unknown[]> => {
    const { status, json } = await harness.deliveries(role, uuid, query);
    if (status !== 200) return [];
    return json.flatMap(({ attempts }: { attempts: { response?: string }[] }) => attempts.map((one) => one.response));
  };

  async function failed(given: Parameters<typeof harness.owned>[0] = {}) {
    const subscription = await harness.owned({ maxRetries: 0, ...given });
    harness.answer(() => fails);
    const messageId = await harness.publishAndWork(subscription.topicName);
    return { ...subscription, messageId };
  }

  it('the response to a failed attempt is returned only to the owner of the subscription', async () => {
    const { uuid, messageId } = await failed();
    const shown = await Promise.all(roles.map((role) => responses(role, uuid)));
    expect(Object.fromEntries(roles.map((role, index) => [role, (shown[index] ?? []).filter(Boolean)]))).toEqual({
      owner: ['unknown key'],
      other: [],
      admin: [],
      nameless: [],
    });
    expect(await responses('owner', uuid, `messageId=${messageId}`)).toEqual(['unknown key']);
  });

  it('the response to a failed attempt is not returned if the subscription had no owner', async () => {
    const { uuid } = await failed({ owner: '' });
    const shown = await Promise.all(roles.map((role) => responses(role, uuid)));
    expect(shown.flat().filter(Boolean)).toEqual([]);
  });

  it('the response to a failed attempt is not returned after the owner of the subscription has changed', async () => {
    const { uuid } = await failed();
    await harness.put('subscriptions', rowOf({ ...(await harness.subscription(uuid)), owner: 'other' }));
    const shown = await Promise.all(roles.map((role) => responses(role, uuid)));
    expect(shown.flat().filter(Boolean)).toEqual([]);
  });

  it('the response to a failed attempt is stored only in the row of the delivery, and in no index', async () => {
    const { uuid } = await failed();
    const rows = await harness.rows('deliveries');
    const holding = rows.filter((row) => JSON.stringify(row).includes('unknown key'));
    expect(holding).toMatchObject([
      { taskKey: `one#${uuid}`, response: { text: 'unknown key', at: noon, owner: 'owner' } },
    ]);
    expect(JSON.stringify(holding.map(({ response: _, ...rest }) => rest))).not.toContain('unknown key');
    const elsewhere = [
      await harness.rows('subscriptions'),
      await harness.rows('journal'),
      await harness.read('owner', uuid),
    ];
    expect(JSON.stringify(elsewhere)).not.toContain('unknown key');
  });

  it('the response to a failed attempt is deleted when a later attempt gets no response', async () => {
    const { uuid, topicName } = await harness.owned({ maxRetries: 3, countdownSeconds: 10 });
    harness.answer((_, tries) => (tries === 0 ? fails : { class: 'timeout' }));
    await harness.publish(topicName);
    await harness.live({ until: noon + 15_000, isSwept: false });
    expect(await responses('owner', uuid)).toEqual([undefined, undefined]);
    expect(JSON.stringify(await harness.rows('deliveries'))).not.toContain('unknown key');
  });

  it('the response to a failed retry is returned with that retry', async () => {
    const { uuid, topicName } = await harness.owned({ maxRetries: 1, countdownSeconds: 10 });
    harness.answer((_, tries) => (tries === 0 ? { class: 'timeout' } : fails));
    await harness.publish(topicName);
    await harness.live({ until: noon + 15_000, isSwept: false });
    expect(await responses('owner', uuid)).toEqual([undefined, 'unknown key']);
  });

  it('the response to a confirmation request is never stored', async () => {
    harness.answer(() => fails);
    const topic = await harness.newTopic('confirmations');
    const { json } = await harness.ask('owner', {
      topicUuid: topic.uuid,
      address: 'https://receiver.example/events',
      protocol: 'http',
    } as never);
    await harness.work();
    expect(await responses('owner', json.uuid)).toEqual([undefined]);
    expect(JSON.stringify(await harness.rows('deliveries'))).not.toContain('unknown key');
  });

  it('the response to a failed attempt is never logged, and a redelivery request does not return it', async () => {
    const { uuid, messageId } = await failed();
    const { json } = await harness.redeliver('owner', uuid, messageId);
    expect(json.attempts).toHaveLength(1);
    expect(JSON.stringify([json, lines])).not.toContain('unknown key');
  });
});
