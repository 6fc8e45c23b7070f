/*
 * Promise: a message published with an Idempotency-Key is delivered once, even if the publisher repeats the request
 * many times. If the first request fails before it is complete, repeating the request completes it. A key identifies
 * one event: publish returns 400 if the event differs, and 500 if the key cannot be looked up.
 */
import { expect, it } from 'vitest';
import { handler as publish } from '../../functions/topics/publish-event.ts';
import type { StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { failing } from '../harness/interference.ts';

const harness = useDeliveryHarness({ subscriptionsPerTask: 2 });
const uuidsOf = (people: readonly StoredSubscription[]) => people.map(({ uuid }) => uuid).toSorted();
const key = { 'idempotency-key': 'K' };

it.each([
  ['short', 'once'],
  ['long', 'once '.repeat(2000)],
])(
  'publish delivers a %s body if the client repeats a request whose message was not added to the queue',
  async (_, body) => {
    const topic = await harness.newTopic();
    const people = await harness.subscribed(topic, {}, {});
    const first = await harness.interfereDuring(failing('SendMessage'), () => harness.publish(topic.name, body, key));
    expect(await harness.publishAndWork(topic.name, body, key)).toBe(first);
    expect(harness.accepted(first).toSorted()).toEqual(uuidsOf(people));
    await harness.live();
    expect(harness.posts.map((post) => post.body)).toEqual([body, body]);
  },
);

it.each([
  ['fan-out processes repeated requests immediately', async () => {}],
  ['fan-out processes repeated requests while the first deliveries are in progress', () => harness.workOnce('fanOut')],
])('publish delivers the message once if %s', async (_, between) => {
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
});

it('publish returns 500 if it cannot look up the key, and delivers the message once when the client repeats the request', async () => {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, {}, {});
  harness.interfere(failing('PutItem'));
  const request = { path: { uuid: topic.name }, body: 'once', headers: key };
  expect(await harness.call(publish, request)).toMatchObject({ status: 500, json: { code: 1500 } });
  expect(harness.lines.error.map((line) => JSON.parse(line))).toMatchObject([{ error: 'keyUndecided', status: 500 }]);
  harness.interfere({});
  const messageId = await harness.publish(topic.name, 'once', key);
  await harness.live();
  expect(harness.accepted(messageId).toSorted()).toEqual(uuidsOf(people));
});

const long = 'x'.repeat(10_000);
const calls: string[] = [];
/** Returns the AWS commands that one request sends. */
async function commandsOf(body: string, headers = {}): Promise<string[]> {
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
const newEvent = ['GetItem', 'PutItem', 'SendMessage'];
const newLongEvent = ['GetItem', 'PutObject', 'PutItem', 'SendMessage'];

it('publish makes three AWS calls, or four for a long body, whatever the number of subscribers', async () => {
  await harness.subscribed(await harness.newTopic('counted'), {}, {}, {});
  expect((await commandsOf('x')).toSorted()).toEqual(newEvent);
  expect((await commandsOf(long)).toSorted()).toEqual(newLongEvent.toSorted());
});

it.each([
  ['short', 'x', 'y', newEvent, ['GetItem', 'PutItem']],
  ['long', long, `y${long}`, ['GetItem', ...newLongEvent], ['GetItem', 'GetItem']],
])(
  'publish with a key and a %s body neither stores a rejected event nor queues an event again after fan-out',
  async (...given) => {
    const [, body, other, first, repeated] = given;
    await harness.newTopic('counted');
    expect(await commandsOf(body, key)).toEqual(first);
    expect(await commandsOf(other, key)).toEqual(repeated);
    expect(await commandsOf(body, key)).toEqual([...repeated, 'SendMessage']);
    await harness.work('fanOut');
    expect(await commandsOf(body, key)).toEqual(repeated);
  },
);
