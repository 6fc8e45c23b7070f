import { beforeEach, describe, expect, it } from 'vitest';
import { handler as confirm } from '../../../functions/subscriptions/confirm-subscription.ts';
import { handler as list } from '../../../functions/subscriptions/list-subscriptions.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 1 });
const { call, live, posts } = harness;
const body = '{"source":"CR","uin":"1"}';
const publish = (subject: string) => harness.publish('CR', body, {}, `subject=${subject}`);
const reached = (messageId: string) => harness.accepted(messageId).toSorted();
const uuids = (...all: (StoredSubscription | undefined)[]) => all.map((one) => one?.uuid).toSorted();

describe('a filter', () => {
  const ask = (query: string) =>
    call(subscribe, { query: `topic=CR&address=${encodeURIComponent('https://receiver.example/events')}${query}` });
  /** Returns the confirmation token of the request with the given filter. */
  async function tokenFor(subjects: readonly string[] = []): Promise<string> {
    const [row] = (await harness.rows('subscriptions')) as unknown as StoredSubscription[];
    const tokens = posts.flatMap(({ token }) => token ?? []);
    return tokens.find((token) => String(row?.requests[hashToken(token)]?.subjects) === String(subjects)) ?? 'none';
  }
  beforeEach(() => harness.newTopic('CR').then(() => {}));

  it('subscribe, confirm and list return the filter, but omit the field if the subscription has no filter', async () => {
    const { json } = await ask('&subject=liveBirth&subject=death&subject=');
    expect(json.subjects).toEqual(['death', 'liveBirth']);
    await live();
    expect((await call(confirm, { query: `token=${await tokenFor(['death', 'liveBirth'])}` })).json.subjects).toEqual(
      json.subjects,
    );
    expect((await call(list, {})).json).toMatchObject([{ subjects: ['death', 'liveBirth'] }]);
    await call(subscribe, { query: 'topic=CR&protocol=email&address=ann%40example.org&subject=' });
    const mail = (await call(list, {})).json.find(({ protocol }: { protocol: string }) => protocol === 'email');
    expect(mail).not.toHaveProperty('subjects');
  });

  it.each([[['death']], [undefined]])('a subscription has the filter that was confirmed: %j', async (subjects) => {
    expect((await ask('&subject=death')).json.subjects).toEqual(['death']);
    expect((await ask('')).json.subjects).toBeUndefined();
    await live();
    expect((await call(confirm, { query: `token=${await tokenFor(subjects)}` })).json.subjects).toEqual(subjects);
  });
});

describe('an event', () => {
  it('an event is sent only to subscriptions whose filter accepts it', async () => {
    const topic = await harness.newTopic('CR');
    const filters = [[], ['liveBirth'], ['death'], ['death', 'liveBirth']];
    const [all, births, deaths, both] = await harness.subscribed(topic, ...filters.map((subjects) => ({ subjects })));
    const birth = await publish('liveBirth');
    await harness.work('fanOut');
    const tasks = harness.payloadsIn<DeliveryTask>('http');
    expect(tasks.flatMap(({ subscriptionUuids }) => subscriptionUuids).toSorted()).toEqual(uuids(all, births, both));
    await live();
    expect(reached(birth)).toEqual(uuids(all, births, both));
    const death = await publish('death');
    const none = await harness.publish('CR');
    await live();
    expect(reached(death)).toEqual(uuids(all, deaths, both));
    expect(reached(none)).toEqual(uuids(all));
  });

  it('fan-out completes an event that no filter accepts, and creates no extra tasks for an event that few filters accept', async () => {
    const topic = await harness.newTopic('CR');
    await harness.subscribed(topic, ...Array.from({ length: 40 }, () => ({ subjects: ['death'] })));
    const [wanting] = await harness.subscribed(topic, { subjects: ['liveBirth'] });
    const birth = await publish('liveBirth');
    const nobodys = await harness.publish('CR');
    await live();
    const rows = await harness.rows('deliveries');
    expect(rows.filter(({ taskKey }) => taskKey === 'message')).toHaveLength(2);
    for (const row of rows) expect(row).not.toHaveProperty('sweepShard');
    expect(rows.find(({ messageId, taskKey }) => messageId === birth && taskKey === 'message')).toMatchObject({
      shardBits: 0,
    });
    expect([reached(birth), reached(nobodys)]).toEqual([uuids(wanting), []]);
  });

  it('an event that is waiting for a retry is not sent if the filter has changed and now rejects the event', async () => {
    const topic = await harness.newTopic('CR');
    const [subscription] = await harness.subscribed(topic, { subjects: ['liveBirth'] });
    harness.answer(rejects);
    const birth = await publish('liveBirth');
    await harness.work();
    expect(harness.tries(birth, subscription?.uuid ?? '')).toHaveLength(1);
    await harness.subscribed(topic, { ...subscription, subjects: ['death'] });
    await live();
    expect(harness.tries(birth, subscription?.uuid ?? '')).toHaveLength(1);
    expect(harness.failures).toEqual([]);
  });
});
