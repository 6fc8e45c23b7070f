/*
 * Promise: a message published under an Idempotency-Key is delivered once, however often the publisher asks; what an earlier call
 * has left undone, the repeat does. A key stands for one event: another is 400, and what the ledger cannot decide is 500.
 */
import { describe, expect, it } from 'vitest';
import { handler as confirm } from '../../functions/subscriptions/confirm-subscription.ts';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { tokenOf } from '../harness/builders.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { refusing } from '../harness/interference.ts';
import { mortal } from '../harness/mortal-process.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: '2' });
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const key = { 'idempotency-key': 'K' };
const minutes = (count: number) => count * 60_000;

describe('publish', () => {
  it.each([
    ['short', 'once'],
    ['long', 'once '.repeat(2000)],
  ])(
    'of a %s body, repeated with its key after the queue failed the first time, is delivered by that',
    async (_, body) => {
      const topic = await harness.newTopic();
      const people = await harness.subscribed(topic, {}, {});
      harness.interfere(refusing('SendMessage'));
      const first = await harness.publish(topic.name, body, key);
      harness.interfere({});
      expect(await harness.publish(topic.name, body, key)).toBe(first);
      await harness.work();
      expect(harness.accepted(first).toSorted()).toEqual(uuidsOf(people));
      await harness.live();
      expect(harness.posts.map((post) => post.body)).toEqual([body, body]);
    },
  );

  it('repeated with its key by a client whose first call died after the ledger is delivered by that', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {}, {});
    const process = mortal(({ command }) => command === 'SendMessage');
    harness.interfere(process.interference);
    const dying = harness.publish(topic.name, 'once', key).catch(() => {});
    await Promise.race([dying, process.interference.death]);
    harness.interfere({});
    expect(await harness.rows('deliveries')).toHaveLength(1);
    expect(harness.payloadsIn('fanOut')).toEqual([]);
    const messageId = await harness.publish(topic.name, 'once', key);
    await harness.work();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it.each([
    ['at once', async () => {}],
    ['while tasks of the first are delivered', () => harness.workOnce('fanOut')],
  ])(
    'repeated with its key before fan-out has begun, and fanned out again %s, is delivered once',
    async (_, between) => {
      const topic = await harness.newTopic();
      const people = await harness.subscribed(topic, {}, {}, {}, {}, {});
      const messageId = await harness.publish(topic.name, 'once', key);
      for (let repeats = 0; repeats < 4; repeats += 1)
        expect(await harness.publish(topic.name, 'once', key)).toBe(messageId);
      expect(harness.payloadsIn('fanOut')).toHaveLength(5);
      await between();
      await harness.live();
      expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
      expect(harness.lines.error).toEqual([]);
    },
  );

  it('repeated with its key after one has come brings it to nobody but those who were there at first', async () => {
    const topic = await harness.newTopic();
    const [there, later] = await harness.subscribed(topic, {}, { isActive: false });
    harness.interfere(refusing('SendMessage'));
    const messageId = await harness.publish(topic.name, 'once', key);
    harness.interfere({});
    harness.pass(minutes(1));
    const confirmed = await harness.call(confirm, { query: `token=${tokenOf(String(later?.uuid))}` });
    expect(confirmed).toMatchObject({ status: 200, json: { active: true } });
    await harness.publish(topic.name, 'once', key);
    await harness.live();
    expect(harness.accepted(messageId)).toEqual([there?.uuid]);
  });

  it('with a key that the ledger cannot look up answers 500; asked again it is delivered once', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {});
    harness.interfere(refusing('PutItem'));
    const request = { path: { uuid: topic.name }, body: 'once', headers: key };
    expect(await harness.call(publish, request)).toMatchObject({ status: 500, json: { code: 1500 } });
    harness.interfere({});
    const messageId = await harness.publish(topic.name, 'once', key);
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
  });

  it('with a key that was used for another event is refused, and the first alone is delivered', async () => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {});
    const messageId = await harness.publish(topic.name, 'first', key);
    const request = { path: { uuid: topic.name }, body: 'second', headers: key };
    expect(await harness.call(publish, request)).toMatchObject({ status: 400, json: { code: 1014 } });
    await harness.live();
    expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
    expect(new Set(harness.posts.map((post) => post.body))).toEqual(new Set(['first']));
  });
});

describe('what it costs', () => {
  const long = 'x'.repeat(10_000);
  const calls: string[] = [];
  /** The calls of AWS of one call of publish. */
  async function counted(body: string, headers = {}): Promise<string[]> {
    calls.length = 0;
    harness.interfere({
      call: ({ command }, go) => {
        calls.push(command);
        return go();
      },
    });
    await harness.call(publish, { path: { uuid: 'counted' }, body, headers });
    harness.interfere({});
    return [...calls];
  }
  const anew = ['GetItem', 'PutItem', 'SendMessage'];
  const anewLong = ['GetItem', 'PutObject', 'PutItem', 'SendMessage'];

  it('is three calls, and four of a long body', async () => {
    await harness.newTopic('counted');
    expect((await counted('x')).toSorted()).toEqual(anew);
    expect((await counted(long)).toSorted()).toEqual(anewLong.toSorted());
  });

  it.each([
    ['short', 'x', 'y', anew, ['GetItem', 'PutItem']],
    ['long', long, `y${long}`, ['GetItem', ...anewLong], ['GetItem', 'GetItem']],
  ])(
    'under a key, of a %s body: nothing is kept of what is refused, nor sent once fan-out has begun',
    async (...given) => {
      const [, body, other, first, again] = given;
      await harness.newTopic('counted');
      expect(await counted(body, key)).toEqual(first);
      expect(await counted(other, key)).toEqual(again);
      expect(await counted(body, key)).toEqual([...again, 'SendMessage']);
      await harness.work('fanOut');
      expect(await counted(body, key)).toEqual(again);
    },
  );
});
