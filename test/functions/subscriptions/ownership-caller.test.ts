import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { rejects } from '../../harness/fake-sender.ts';
import { type Role, roles, useOwnership } from '../../harness/ownership-harness.ts';

const harness = useOwnership('caller');
let one: StoredSubscription;
beforeEach(async () => {
  one = await harness.owned();
});
const stored = () => harness.subscription(one.uuid);

type Answer = { readonly status: number; readonly json: unknown };
const operations: Readonly<Record<string, (role: Role, messageId: string) => Promise<Answer>>> = {
  GET: (role) => harness.read(role, one.uuid),
  deliveries: (role) => harness.deliveries(role, one.uuid),
  'deliveries of one message': (role, messageId) => harness.deliveries(role, one.uuid, `messageId=${messageId}`),
  PATCH: (role) => harness.change(role, one.uuid),
  test: (role) => harness.test(role, one.uuid),
  redeliver: (role, messageId) => harness.redeliver(role, one.uuid, messageId),
  recover: (role) => harness.recover(role, one.uuid),
  DELETE: (role) => harness.unsubscribe(role, one.uuid),
};
const done: Readonly<Record<string, number>> = { redeliver: 202, recover: 202, DELETE: 204 };
const matrix = Object.keys(operations).flatMap((name) => roles.map((role) => [name, role] as const));

describe('an active subscription', () => {
  it.each(matrix)(
    'an active subscription accepts %s from the client "%s" only if the client is the owner or an admin',
    async (name, role) => {
      const messageId = await harness.publishAndWork('CR');
      const before = await stored();
      const sees = role === 'owner' || role === 'admin';
      const answer = await operations[name]?.(role, messageId);
      expect(answer?.status).toBe(sees ? (done[name] ?? 200) : 404);
      if (sees) return;
      expect(answer?.json).toEqual((await harness.read(role, '00000000-0000-4000-8000-000000000000')).json);
      expect(await stored()).toEqual(before);
      await harness.live();
      expect(harness.tries(messageId, one.uuid)).toHaveLength(1);
    },
  );

  it.each<[Role, number]>([
    ['owner', 1],
    ['other', 0],
    ['admin', 1],
    ['nameless', 0],
  ])('the subscription list for the caller "%s" contains %d active subscriptions', async (role, count) => {
    expect((await harness.list(role)).json).toHaveLength(count);
  });

  it('a subscription without a known owner is visible only to admins', async () => {
    one = await harness.owned({ owner: '' });
    for (const role of ['owner', 'other', 'nameless'] as const) {
      expect((await harness.read(role, one.uuid)).status).toBe(404);
      expect((await harness.unsubscribe(role, one.uuid)).status).toBe(404);
    }
    expect((await harness.read('admin', one.uuid)).status).toBe(200);
    expect((await harness.unsubscribe('admin', one.uuid)).status).toBe(204);
  });

  it.each<Role>(['owner', 'admin'])(
    'an active subscription does not change if the %s subscribes its address again',
    async (role) => {
      expect((await harness.ask(role, one)).json).toMatchObject({ active: true, policy: '60,2' });
      await harness.work();
      expect([harness.tokens(one.uuid), await stored()]).toEqual([[], one]);
    },
  );

  it('subscribe rejects a token that does not identify a client', async () => {
    const { status, json } = await harness.ask('nameless', one);
    expect([status, json.code]).toEqual([400, 1002]);
    expect(json.message).toMatch(/^authorization must identify the subscribing client/);
    expect(await stored()).toEqual(one);
  });
});

describe("a client that subscribes another client's address", () => {
  const own = { policy: '9,9', active: false };

  it("another client sees its own request as pending, and nothing about the owner's subscription", async () => {
    harness.answer(rejects);
    await harness.publishAndWork('CR');
    expect((await harness.read('owner', one.uuid)).json).toMatchObject({ stateReason: 'failing', waiting: 1 });
    const asked = await harness.ask('other', one);
    expect(asked.json).toMatchObject({ uuid: one.uuid, ...own });
    const { json } = await harness.read('other', one.uuid);
    const createdAt = new Date(harness.now()).toISOString();
    const next = { attempts: [], nextAttemptAt: createdAt, deliveryFormat: 'raw' };
    expect(json).toEqual({ ...asked.json, state: 'pending', stateReason: 'asked', createdAt, ...next, waiting: 0 });
    expect((await harness.list('other')).json).toEqual([asked.json]);
    const { json: deliveries } = await harness.deliveries('other', one.uuid);
    expect(deliveries).toMatchObject([{ type: 'SubscriptionConfirmation', publishedAt: createdAt }]);
  });

  it.each([{}, { confirmedAt: undefined }])('another client cannot use the subscription: %j', async (given) => {
    one = await harness.owned(given);
    const messageId = await harness.publishAndWork('CR');
    await harness.ask('other', one);
    const { requests: _, ...before } = await stored();
    const refused = [
      await harness.change('other', one.uuid),
      await harness.test('other', one.uuid),
      await harness.redeliver('other', one.uuid, messageId),
      await harness.recover('other', one.uuid),
    ];
    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(Array(4).fill([409, 1409]));
    await harness.live();
    expect(await stored()).toMatchObject(before);
    expect(harness.tries(messageId, one.uuid)).toHaveLength(1);
  });

  it("DELETE by another client withdraws only that client's requests", async () => {
    await harness.ask('other', one, '1,1');
    await harness.ask('other', one, '2,2');
    await harness.ask('admin', { ...one, address: `${one.address}/not` });
    expect((await harness.unsubscribe('other', one.uuid)).status).toBe(204);
    expect((await harness.unsubscribe('other', one.uuid)).status).toBe(404);
    expect(await stored()).toEqual(one);
    await harness.work();
    expect(harness.tokens(one.uuid)).toEqual([]);
  });

  it('repeated subscribe calls by another client send one confirmation request, even if the queue loses the message', async () => {
    await harness.ask('other', one);
    await harness.ask('other', one);
    await harness.purge();
    await harness.live();
    expect(harness.tokens(one.uuid)).toHaveLength(1);
    expect((await stored()).owner).toBe('owner');
  });

  it('another client owns the subscription after confirming it, and each event is delivered only once', async () => {
    await harness.ask('other', one);
    const before = await harness.publishAndWork('CR');
    const [token = ''] = harness.tokens(one.uuid);
    expect((await harness.confirm('other', token)).json).toMatchObject({ policy: '9,9', active: true });
    const after = await harness.publish('CR');
    await harness.live();
    for (const messageId of [before, after]) expect(harness.accepted(messageId)).toEqual([one.uuid]);
    expect(await stored()).toMatchObject({ owner: 'other', countdownSeconds: 9, activeSince: one.activeSince });
    expect((await harness.read('owner', one.uuid)).status).toBe(404);
    expect((await harness.list('other')).json).toHaveLength(1);
    expect((await harness.ask('owner', one)).json).toMatchObject({ active: false });
  });

  it('an old token does not give its client access to a subscription that now belongs to another client', async () => {
    const pending = await harness.owned({ isActive: false, confirmedAt: undefined });
    const first = await harness.asked('owner', pending);
    for (const _ of [1, 2]) expect((await harness.confirm('owner', first)).status).toBe(200);
    expect((await harness.confirm('other', await harness.asked('other', pending))).status).toBe(200);
    expect((await harness.confirm('owner', first)).json.code).toBe(1008);
    expect((await harness.read('owner', pending.uuid)).status).toBe(404);
  });
});
