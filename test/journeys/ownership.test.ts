import { expect, test } from 'vitest';
import {
  confirmSubscription,
  listSubscriptions,
  readSubscription,
  subscribe,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { storedSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { sqsEvent } from '../harness/lambda-events.ts';
import { aComplaint } from '../harness/mail-feedback.ts';
import { confirmedReader, mailsTo, subscriptionRow } from '../harness/mail-reader.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { confirmationIn, startReceiver } from '../harness/receiver.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld({ subscriptionOwnership: 'caller' });
leavesNoErrors(world);

test('a client sees only its own subscriptions, but a client with the admin scope sees all subscriptions', async () => {
  const scopes = ['notif.sub.write', 'notif.sub.read'] as const;
  const [owner, other, admin, only] = await Promise.all([
    world.tokenFor(scopes, 'owner'),
    world.tokenFor(scopes, 'other'),
    world.tokenFor([...scopes, 'notif.admin'], 'admin'),
    world.tokenFor(['notif.admin'], 'admin'),
  ]);
  const topic = await world.newTopic();
  const receiver = await startReceiver();
  const query = { topic: topic.uuid, address: receiver.url };
  const { uuid } = (await world.call(subscribe, { query, token: owner })).json;
  const { token } = confirmationIn(await receiver.arrival('SubscriptionConfirmation'));
  const confirmed = await world.call(confirmSubscription, { query: { token }, token: owner });
  expect(confirmed.json).toMatchObject({ uuid, active: true });

  const path = { uuid };
  const seen = await Promise.all(
    [owner, other, admin, only].map(async (one) => [
      (await world.call(readSubscription, { path, token: one })).status,
      (await world.call(listSubscriptions, { token: one })).text.includes(uuid),
    ]),
  );
  expect(seen).toEqual([
    [200, true],
    [404, false],
    [200, true],
    [403, false],
  ]);
  const ending = [];
  for (const one of [only, other, admin]) ending.push((await world.call(unsubscribe, { path, token: one })).status);
  expect(ending).toEqual([403, 404, 204]);
});

test('a complaint changes nothing if another client requested the email and then withdrew its request', async () => {
  const { topic, address, pending } = await confirmedReader(world);
  const token = await world.tokenFor(['notif.sub.write'], 'stranger');
  const query = { topic: topic.uuid, address, protocol: 'email', policy: '7,7' } as const;
  await world.call(subscribe, { query, token });
  const mails = await mailsTo(world, address, 3);
  expect(mails).toHaveLength(3);
  expect(mails.at(-1)?.body.html).toContain('which client the subscription belongs to');
  const { requests, generation } = storedSubscription.parse(await subscriptionRow(world, pending.uuid));
  const message = Object.values(requests).find(({ countdownSeconds }) => countdownSeconds === 7)?.messageId ?? '';
  expect((await world.call(unsubscribe, { path: { uuid: pending.uuid }, token })).status).toBe(204);
  const before = await subscriptionRow(world, pending.uuid);
  const own = { generation, message, type: 'SubscriptionConfirmation' } as const;
  const complaint = sqsEvent(aComplaint('abuse', pending.uuid, topic.uuid, own));
  expect(await stack.invoke('readMailFeedback', complaint)).toEqual({ batchItemFailures: [] });
  expect(before).toMatchObject({ isActive: true });
  expect(await subscriptionRow(world, pending.uuid)).toEqual(before);
});
