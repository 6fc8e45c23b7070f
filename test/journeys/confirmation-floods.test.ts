import { expect, test } from 'vitest';
import { inbox } from '../../infra/local/demo/mailbox.ts';
import { subscribe, unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { hang, startReceiver, status } from '../harness/receiver.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

// The limits have their default values. The hanging receiver hangs for longer than any delivery of an event takes.
const { world } = await openSeparateWorld({
  unconfirmedPerHost: '25',
  confirmationsPerCaller: '600',
  receiverTimeoutSeconds: '45',
});
const { aws, call, newTopic, outputs, publish, newSubscriber } = world;

const ask = (topic: string, address: string, more: Record<string, string> = {}, token?: string) =>
  call(subscribe, { query: { topic, address, ...more }, ...(token === undefined ? {} : { token }) });

/** Counts the responses by status. */
const counted = (answers: readonly { readonly status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, (one) => one.status)].map(([code, all]) => [code, all.length]));

const pendingOf = async (topicUuid: string) =>
  (await aws.rows('subscriptions')).filter((row) => row.topicUuid === topicUuid && row.isActive === false);

test('hanging confirmation requests do not delay events', async () => {
  const topic = await newTopic();
  const token = await world.tokenFor(['notif.sub.write'], 'flooding');
  const { receiver } = await newSubscriber(topic);
  const hanging = await startReceiver(hang);
  const flood = Array.from({ length: 12 }, (_, index) => `${hanging.url}?i=${index}`);
  expect(counted(await Promise.all(flood.map((url) => ask(topic.uuid, url, {}, token))))).toEqual({ 200: 12 });
  await hanging.arrival('SubscriptionConfirmation');
  await Promise.all(Array.from({ length: 10 }, (_, event) => publish(topic, `event ${event}`)));
  await receiver.arrival('Notification', 10);
  const pending = (await pendingOf(topic.uuid)).map(({ uuid }) => `one#${uuid}`);
  const asking = (await aws.rows('deliveries')).filter(({ taskKey }) => pending.includes(String(taskKey)));
  expect(asking.map(({ outcome }) => outcome)).toEqual(Array(12).fill(undefined));
  expect(await aws.depth('http')).toBe(0);
  // Releases the lane for the next test.
  await hanging.close();
});

test('a host that never confirms receives at most five requests for each of at most 25 subscriptions', async () => {
  const topic = await newTopic();
  const receiver = await startReceiver(status(404));
  const token = await world.tokenFor(['notif.sub.write'], 'amplifying');
  const urls = Array.from({ length: 100 }, (_, index) => `${receiver.url}?i=${index}`);
  const answers = await Promise.all(urls.map((url) => ask(topic.uuid, url, { policy: '1,-1' }, token)));
  expect(counted(answers)).toEqual({ 200: 25, 429: 75 });
  await eventually(async () => {
    const rows = await pendingOf(topic.uuid);
    expect(rows.map(({ requests }) => JSON.stringify(requests).includes('"hasFailed":true'))).toEqual(
      Array(25).fill(true),
    );
    const posts = [...Map.groupBy(receiver.received, ({ path }) => path).values()].map(({ length }) => length);
    expect(posts).toEqual(Array(25).fill(5));
  });
});

/** Returns the tokens of three clients, which together may send a mailbox more requests than it accepts. */
const threeClients = () =>
  Promise.all([1, 2, 3].map((number) => world.tokenFor(['notif.sub.write'], uniqueName(`client${number}`))));

test('a mailbox receives at most five confirmation requests, even if the subscription is deleted each time', async () => {
  const topic = await newTopic();
  const address = `${uniqueName('reader')}@example.org`;
  const clients = await threeClients();
  const answers = [];
  for (let times = 0; times < 60; times++) {
    const answer = await ask(topic.uuid, address, { protocol: 'email' }, clients[times % 3]);
    answers.push(answer);
    if (answer.status !== 200) continue;
    // The request must be sent before it is deleted, because a deleted request is never sent.
    await eventually(async () => expect(await inbox(outputs.inboxUrl, address)).toHaveLength(times + 1));
    await call(unsubscribe, { path: { uuid: answer.json.uuid } });
  }
  expect(counted(answers)).toEqual({ 200: 5, 429: 55 });
  expect(await inbox(outputs.inboxUrl, address)).toHaveLength(5);
});

test('plus-tags, capital letters or additional topics do not increase the number of requests that a mailbox receives', async () => {
  const topic = await newTopic();
  const topics = await Promise.all(Array.from({ length: 40 }, () => newTopic()));
  const clients = await threeClients();
  const [name, other] = [uniqueName('reader'), uniqueName('reader')];
  const variants = Array.from({ length: 28 }, (_, index) => [
    `${name}+${index}@example.org`,
    `${name.toUpperCase()}+${index}@example.org`,
  ]);
  const byTag = await Promise.all(
    variants.flat().map((address, index) => ask(topic.uuid, address, { protocol: 'email' }, clients[index % 3])),
  );
  const byTopic = await Promise.all(
    topics.map(({ uuid }, index) => ask(uuid, `${other}@example.org`, { protocol: 'email' }, clients[index % 3])),
  );
  expect(counted(byTag)).toEqual({ 200: 5, 429: 51 });
  expect(counted(byTopic)).toEqual({ 200: 5, 429: 35 });
  await eventually(async () => expect(await inbox(outputs.inboxUrl, `${other}@example.org`)).toHaveLength(5));
});
