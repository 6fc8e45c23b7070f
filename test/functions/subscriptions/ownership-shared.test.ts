import { expect, it } from 'vitest';
import { type Role, roles, useOwnership } from '../../harness/ownership-harness.ts';

const harness = useOwnership('shared');
const everybody = (status: number) => roles.map((role): [Role, number] => [role, status]);

it.each(roles)('under shared ownership, every client can see, change and delete a subscription: %s', async (role) => {
  const one = await harness.owned();
  const { uuid } = one;
  const messageId = await harness.publishAndWork('CR');
  expect((await harness.list(role)).json).toMatchObject([{ uuid }]);
  expect((await harness.read(role, uuid)).json).toMatchObject({ state: 'active', policy: '60,2' });
  expect((await harness.deliveries(role, uuid)).json).toMatchObject([{ messageId }]);
  expect((await harness.change(role, uuid)).json).toMatchObject({ policy: '7,7' });
  expect((await harness.test(role, uuid)).status).toBe(200);
  expect((await harness.redeliver(role, uuid, messageId)).status).toBe(202);
  expect((await harness.recover(role, uuid)).status).toBe(202);
  expect((await harness.ask(role, one)).json).toMatchObject({ uuid, active: true, policy: '7,7' });
  await harness.work();
  expect(harness.tokens(uuid)).toEqual([]);
  expect((await harness.unsubscribe(role, uuid)).status).toBe(204);
  expect((await harness.unsubscribe(role, uuid)).status).toBe(404);
});

it('under shared ownership, any client that has the token can confirm the subscription', async () => {
  for (const [role, status] of everybody(200)) {
    const one = await harness.owned({ isActive: false, confirmedAt: undefined, owner: '' });
    harness.posts.length = 0;
    await harness.ask('owner', one);
    await harness.work();
    const [token = ''] = harness.tokens(one.uuid);
    expect((await harness.confirm(role, token)).status).toBe(status);
    expect(await harness.subscription(one.uuid)).toMatchObject({ owner: 'owner', isActive: true });
  }
});
