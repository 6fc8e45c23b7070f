import { expect, test } from 'vitest';
import {
  confirmSubscription,
  listSubscriptions,
  readSubscription,
  subscribe,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions.ts';
import { leavesNoFaults } from '../support/no-faults.ts';
import { openOwnWorld } from '../support/own-stack.ts';
import { confirmationIn, startReceiver } from '../support/receiver.ts';

const { world } = await openOwnWorld({ subscriptionOwnership: 'caller' });
leavesNoFaults(world);

test('a client has its own subscriptions, and only who has the scope of admins sees those of all', async () => {
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
