import { expect, test } from 'vitest';
import { handler as confirmSubscription } from '../../../functions/subscriptions/confirm-subscription.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { handler as unsubscribe } from '../../../functions/subscriptions/unsubscribe.ts';
import { handler as publishEvent } from '../../../functions/topics/publish-event.ts';
import { aBounce } from '../../harness/mail-feedback.ts';
import { useRetention } from '../../harness/retention-harness.ts';

const harness = useRetention();
const { call, placesOf, dayAfter } = harness;
const mark = 'zqclerkzq';
const subscribed = 'table subscriptions';

/** Requests a subscription for an address. Returns the UUID of the subscription. */
async function asked(): Promise<string> {
  await harness.newTopic('Births');
  const query = new URLSearchParams({ topic: 'Births', protocol: 'email', address: `${mark}@example.org` });
  const { status, json } = await call(subscribe, { query: String(query) });
  expect(status).toBe(200);
  return json.uuid;
}

test('an address is stored only in its subscription, and is deleted with the subscription', async () => {
  const uuid = await asked();
  expect(await placesOf(mark)).toEqual([subscribed]);
  await harness.work();
  const query = `token=${harness.posts.at(-1)?.token}`;
  expect((await call(confirmSubscription, { query })).status).toBe(200);
  await call(publishEvent, { path: { uuid: 'Births' }, body: '{"source":"CR"}' });
  await harness.work();
  expect(harness.posts).toHaveLength(2);
  await dayAfter(400);
  expect(await placesOf(mark)).toEqual([subscribed]);
  expect((await call(unsubscribe, { path: { uuid } })).status).toBe(204);
  expect(await placesOf(mark)).toEqual([]);
});

test('if an address is never confirmed, the address and the count of its requests are deleted', async () => {
  await asked();
  await harness.work();
  await dayAfter(3);
  expect(await harness.rows('limits')).toEqual([]);
  await dayAfter(32);
  expect(await placesOf(mark)).toEqual([subscribed]);
  await dayAfter(33);
  expect(await placesOf(mark)).toEqual([]);
});

test('an SES notification about an address is deleted from the queue after processing', async () => {
  const uuid = await asked();
  const [topic] = await harness.rows('topics');
  const bounce = JSON.stringify(aBounce('Permanent', uuid, String(topic?.uuid))).replaceAll('clerk-4711', mark);
  await harness.purge();
  await harness.send('mailFeedback', bounce);
  expect(await placesOf(mark)).toEqual(['queue mailFeedback', subscribed]);
  await harness.work('mailFeedback');
  expect(await placesOf(mark)).toEqual([subscribed]);
  await harness.sendDead('mailFeedback', bounce);
  await dayAfter(13);
  expect(await placesOf(mark)).toEqual(['queue mailFeedback', subscribed]);
  await dayAfter(14);
  expect(await placesOf(mark)).toEqual([subscribed]);
});
