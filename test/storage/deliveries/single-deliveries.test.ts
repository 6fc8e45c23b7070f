import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import {
  aLease,
  delivered,
  expiresAt,
  failed,
  leaseMs,
  moved,
  publishedAt,
  retried,
} from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingResponses } from '../../harness/lost-responses.ts';
import { itemSize } from '../../simulation/dynamodb/item-size.ts';

const dynamodb = useDynamodb();
const { deliver, redeliverFailed } = deliveriesStore.permissions;
const uuid = 'u';

let table: string;
let deliveries: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = deliver(dynamodb.client, table);
});

const aTask = (attempt = 0, messageId: string = randomUUID()) =>
  ({ messageId, taskKey: `one#${uuid}`, attempt, protocol: 'http', publishedAt, rowShard: 0 }) as const;
const row = async () => (await dynamodb.rowsOf(table))[0];

/** Acquires an attempt and records its outcome. */
async function recorded(outcome = retried, attempt = 0) {
  const [task, lease] = [aTask(attempt), aLease()];
  await deliveries.acquireSingle(task, uuid, lease);
  await deliveries.recordSingle(task, uuid, lease, outcome);
  return task;
}

it('acquireSingle succeeds for only one of many concurrent runs', async () => {
  const task = aTask();
  const claims = await Promise.all(Array.from({ length: 12 }, () => deliveries.acquireSingle(task, uuid, aLease())));
  expect(claims.map(({ is }) => is).toSorted()).toEqual([...Array(11).fill('busy'), 'leased']);
});

it('acquireSingle succeeds again after the lease has expired, but not before', async () => {
  const [task, leased] = [aTask(), { is: 'leased', base: 0, past: [] }];
  expect(await deliveries.acquireSingle(task, uuid, aLease())).toEqual(leased);
  expect(await deliveries.acquireSingle(task, uuid, aLease(leaseMs))).toEqual({ is: 'busy' });
  expect(await deliveries.acquireSingle(task, uuid, aLease(leaseMs + 1))).toEqual(leased);
});

it('acquireSingle makes the row due five minutes after its lease expires', async () => {
  const lease = aLease();
  await deliveries.acquireSingle(aTask(), uuid, lease);
  expect(await row()).toMatchObject({
    ...{ state: 'leased', attempt: 0, owner: uuid, leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt },
    sweepShard: expect.stringMatching(/^due#\d+$/),
    sweepAt: String(lease.leaseUntil + 5 * 60_000).padStart(15, '0'),
  });
});

it('acquireSingle returns the recorded outcome at any later time', async () => {
  const task = await recorded();
  const done = { is: 'done', attempt: 0, outcome: retried, hasRunAfterEffects: false };
  expect(await deliveries.acquireSingle(task, uuid, aLease(1))).toEqual(done);
  expect(await deliveries.acquireSingle(task, uuid, aLease(1e9))).toEqual(done);
});

it('acquireSingle succeeds for the next attempt, and then fails for the previous attempt', async () => {
  const task = await recorded();
  expect(await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, aLease(60_000))).toEqual({
    is: 'leased',
    base: 0,
    previous: retried,
    past: [],
  });
  expect(await deliveries.acquireSingle(task, uuid, aLease(60_001))).toMatchObject({
    is: 'done',
    attempt: 1,
    outcome: retried,
  });
  expect(await deliveries.acquireSingle(task, uuid, aLease(1e9))).toMatchObject({ is: 'done', attempt: 1 });
});

it.each([
  ['delivered', delivered],
  ['failed', failed],
])('acquireSingle fails for a later attempt if the delivery is already recorded as %s', async (_what, outcome) => {
  const task = await recorded(outcome);
  expect(await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, aLease(1e9))).toEqual({
    is: 'done',
    attempt: 0,
    outcome,
    hasRunAfterEffects: false,
  });
});

it('after an operator has reopened a delivery, acquireSingle returns how many attempts do not count towards the policy', async () => {
  const task = await recorded(failed, 7);
  const operator = redeliverFailed(dynamodb.client, table);
  const [{ rows } = { rows: [] }] = await Array.fromAsync(operator.listFailed({ messageId: task.messageId }, () => {}));
  for (const one of rows) await operator.reopen({ ...one, publishedAt }, noon, expiresAt);
  for (const later of [1, leaseMs + 2]) {
    const claim = await deliveries.acquireSingle({ ...task, attempt: 8 }, uuid, aLease(later));
    expect(claim).toMatchObject({ is: 'leased', base: 8 });
  }
});

it('acquireSingle succeeds even if the response to its own write is lost', async () => {
  const task = aTask();
  for (const later of [0, leaseMs + 1]) {
    const { client, lost } = losingResponses(dynamodb.client, 'UpdateItemCommand');
    const claim = await deliver(client, table).acquireSingle(task, uuid, aLease(later));
    expect([claim, lost()]).toEqual([{ is: 'leased', base: 0, past: [] }, 1]);
  }
});

describe('recordSingle', () => {
  it.each([
    [delivered, { state: 'delivered' }, ['owner', 'sweepShard', 'sweepAt']],
    [failed, { state: 'failed', owner: uuid, sweepShard: expect.stringMatching(/^failed#/) }, ['notBefore']],
    [retried, { state: 'waiting', owner: uuid, sweepShard: expect.stringMatching(/^due#/) }, []],
  ])('recordSingle sets the state of the row for the outcome %j', async (outcome, expected, absent) => {
    await recorded(outcome);
    expect(await row()).toMatchObject({ ...expected, outcome });
    for (const name of absent) expect(await row()).not.toHaveProperty(name);
  });

  it('recordSingle fails for a run that lost its lease or never had a lease', async () => {
    const [task, first, second] = [aTask(), aLease(), aLease(leaseMs + 1)];
    expect(await deliveries.recordSingle(task, uuid, first, delivered)).toBe(false);
    await deliveries.acquireSingle(task, uuid, first);
    await deliveries.acquireSingle(task, uuid, second);
    expect(await deliveries.recordSingle(task, uuid, first, failed)).toBe(false);
    expect(await deliveries.recordSingle(task, uuid, second, delivered)).toBe(true);
    expect(await row()).toMatchObject({ state: 'delivered', outcome: delivered });
  });

  it('recordSingle extends the lifetime of a row by the time until its retry', async () => {
    const notBefore = noon + 40 * 24 * 3_600_000;
    await recorded({ ...retried, notBefore });
    expect(await row()).toMatchObject({ notBefore, expiresAt: expiresAt + 40 * 24 * 3600 });
  });

  it('recordSingle keeps the last ten attempts in a row that costs only one write unit', async () => {
    const [messageId, subscription] = [randomUUID(), randomUUID()];
    for (let attempt = 0; attempt < 13; attempt++) {
      const ids = { ...aTask(attempt, messageId), taskKey: `one#${subscription}` };
      const lease = aLease(attempt * 60_000);
      const claim = await deliveries.acquireSingle(ids, subscription, lease);
      if (claim.is !== 'leased') throw new Error(`attempt ${attempt} is ${claim.is}`);
      const outcome = {
        ...retried,
        status: 500 + attempt,
        at: lease.now,
        notBefore: lease.now + 60_000,
        tookMs: 14_999,
      };
      await deliveries.recordSingle(ids, subscription, lease, outcome, claim);
      await deliveries.markAfterEffectsDone(ids, lease);
    }
    const stored = await row();
    const past = Array.from({ length: 9 }, (_, index) => ['http', 503 + index, noon + (3 + index) * 60_000, 14_999]);
    expect(stored).toMatchObject({ past, outcome: { status: 512 } });
    expect(itemSize(toItem(stored ?? {}))).toBeLessThanOrEqual(1024);
  });

  it('recordSingle does not keep the outcomes of attempts that did not reach the receiver', async () => {
    const task = aTask();
    const outcomes = [moved, { ...retried, isPostponed: true }, retried, delivered];
    for (const [attempt, outcome] of outcomes.entries()) {
      const [ids, lease] = [{ ...task, attempt }, aLease(attempt * 60_000)];
      const claim = await deliveries.acquireSingle(ids, uuid, lease);
      if (claim.is !== 'leased') throw new Error(`attempt ${attempt} is ${claim.is}`);
      await deliveries.recordSingle(ids, uuid, lease, outcome, claim);
    }
    expect(await row()).toMatchObject({ past: [['http', 500, noon, null]], outcome: delivered });
  });

  it('recordSingle succeeds even if the response to its own write is lost', async () => {
    const [task, lease] = [aTask(), aLease()];
    await deliveries.acquireSingle(task, uuid, lease);
    const { client, lost } = losingResponses(dynamodb.client, 'UpdateItemCommand');
    expect(await deliver(client, table).recordSingle(task, uuid, lease, retried)).toBe(true);
    expect(lost()).toBe(1);
    expect(await row()).toMatchObject({ state: 'waiting', outcome: retried });
  });
});

it('dropSingle ends a waiting delivery, removes it from the indexes and prevents later attempts', async () => {
  const task = await recorded();
  expect(await deliveries.dropSingle(task, false, aLease())).toBeUndefined();
  const dropped = await row();
  expect(dropped).toMatchObject({ state: 'dropped' });
  for (const name of ['owner', 'sweepShard', 'sweepAt']) expect(dropped).not.toHaveProperty(name);
  expect(await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, aLease(1e9))).toMatchObject({ is: 'done' });
});

it("dropSingle lists a paused subscription's delivery as failed, so that an operator can redeliver it", async () => {
  await recorded();
  const task = { ...aTask(), messageId: String((await row())?.messageId) };
  const lease = aLease(5);
  expect(await deliveries.dropSingle(task, true, lease)).toBe('failed');
  // A different run makes the second call in the same millisecond.
  expect(await deliveries.dropSingle(task, true, aLease(5))).toBe('alreadyFailed');
  await deliveries.markAfterEffectsDone(task, lease);
  expect(await deliveries.dropSingle(task, true, aLease(5))).toBeUndefined();
  expect(await row()).toMatchObject({
    ...{ state: 'failed', owner: uuid, hasRunAfterEffects: true },
    ...{ sweepShard: expect.stringMatching(/^failed#/), sweepAt: String(noon + 5).padStart(15, '0') },
  });
});

it('dropSingle does not change an attempt in progress', async () => {
  const [task, lease] = [aTask(), aLease()];
  await deliveries.acquireSingle(task, uuid, lease);
  await deliveries.dropSingle(task, false, aLease(leaseMs));
  expect(await row()).toMatchObject({ state: 'leased' });
  expect(await deliveries.recordSingle(task, uuid, lease, delivered)).toBe(true);
});

it('dropSingle ends an attempt whose run has stopped, because otherwise the sweeper would resume it repeatedly', async () => {
  const [task, lease] = [aTask(), aLease()];
  await deliveries.acquireSingle(task, uuid, lease);
  await deliveries.dropSingle(task, false, aLease(leaseMs + 1));
  expect(await row()).toMatchObject({ state: 'dropped' });
  expect(await deliveries.recordSingle(task, uuid, lease, retried)).toBe(false);
});

it.each([
  ['delivered', delivered],
  ['failed', failed],
])('dropSingle changes nothing if the delivery is already recorded as %s', async (state, outcome) => {
  const task = await recorded(outcome);
  const before = await row();
  await deliveries.dropSingle(task, false, aLease(1e9));
  expect(await deliveries.dropSingle(task, true, aLease(1e9))).toBe(state === 'failed' ? 'alreadyFailed' : undefined);
  expect(await row()).toEqual(before);
  expect(before).toMatchObject({ state });
});

it('dropSingle creates no row if the delivery has no row', async () => {
  await deliveries.dropSingle(aTask(), false, aLease());
  await deliveries.dropSingle(aTask(), true, aLease());
  expect(await dynamodb.rowsOf(table)).toEqual([]);
});

it('only one run performs the after-effects: the run that recorded the attempt, or another run after the lease has expired', async () => {
  const [task, lease] = [aTask(), aLease()];
  await deliveries.acquireSingle(task, uuid, lease);
  expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs + 1))).toBe('done');
  await deliveries.recordSingle(task, uuid, lease, retried);
  expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs))).toBe('busy');
  const other = aLease(leaseMs + 1);
  expect(await deliveries.takeOverAfterEffects(task, other)).toBe('taken');
  expect(await deliveries.takeOverAfterEffects(task, other)).toBe('taken');
  expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs + 1))).toBe('busy');
  // A run that has lost its lease cannot mark the after-effects as done.
  await deliveries.markAfterEffectsDone(task, lease);
  expect(await row()).not.toHaveProperty('hasRunAfterEffects');
  await deliveries.markAfterEffectsDone(task, other);
  expect(await deliveries.takeOverAfterEffects(task, aLease(1e9))).toBe('done');
  const next = { ...task, attempt: 1 };
  await deliveries.acquireSingle(next, uuid, aLease(60_000));
  expect(await row()).toMatchObject({ state: 'leased', attempt: 1 });
});

it('after-effects are performed again for each attempt', async () => {
  const [task, lease, later] = [aTask(), aLease(), aLease(60_000)];
  await deliveries.acquireSingle(task, uuid, lease);
  await deliveries.recordSingle(task, uuid, lease, retried);
  await deliveries.markAfterEffectsDone(task, lease);
  await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, later);
  await deliveries.recordSingle({ ...task, attempt: 1 }, uuid, later, retried);
  expect(await deliveries.takeOverAfterEffects(task, aLease(60_000 + leaseMs + 1))).toBe('taken');
});
