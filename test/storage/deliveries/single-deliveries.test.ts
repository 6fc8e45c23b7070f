import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, delivered, expiresAt, failed, leaseMs, moved, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';
import { itemSize } from '../../simulation/dynamodb/item-size.ts';

const dynamodb = useDynamodb();
const { deliver, redeliver } = ledgerStore.permissions;
const uuid = 'u';

let table: string;
let ledger: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = deliver(dynamodb.client, table);
});

const aTask = (attempt = 0, messageId: string = randomUUID()) =>
  ({ messageId, taskKey: `one#${uuid}`, attempt, protocol: 'http', slice: 0 }) as const;
const row = async () => (await dynamodb.rowsOf(table))[0];

/** A task whose attempt was claimed and recorded. */
async function recorded(outcome = retried, attempt = 0) {
  const [task, lease] = [aTask(attempt), aLease()];
  await ledger.claimSingle(task, uuid, lease);
  await ledger.recordSingle(task, uuid, lease, outcome);
  return task;
}

describe('claimSingle', () => {
  it('is granted to exactly one of many at once', async () => {
    const task = aTask();
    const claims = await Promise.all(Array.from({ length: 12 }, () => ledger.claimSingle(task, uuid, aLease())));
    expect(claims.map(({ is }) => is).toSorted()).toEqual([...Array(11).fill('busy'), 'claimed']);
  });

  it('is granted again when its lease has run out, and not before', async () => {
    const task = aTask();
    expect(await ledger.claimSingle(task, uuid, aLease())).toEqual({ is: 'claimed', base: 0, past: [] });
    expect(await ledger.claimSingle(task, uuid, aLease(leaseMs))).toEqual({ is: 'busy' });
    expect(await ledger.claimSingle(task, uuid, aLease(leaseMs + 1))).toEqual({ is: 'claimed', base: 0, past: [] });
  });

  it('stands where the sweeper looks when its lease has long run out', async () => {
    const lease = aLease();
    await ledger.claimSingle(aTask(), uuid, lease);
    expect(await row()).toMatchObject({
      ...{ state: 'claimed', attempt: 0, owner: uuid, leaseId: lease.id, leaseUntil: lease.leaseUntil, expiresAt },
      sweepShard: expect.stringMatching(/^due#\d+$/),
      sweepAt: String(lease.leaseUntil + 5 * 60_000).padStart(15, '0'),
    });
  });

  it('is done, with its outcome, once it was recorded, however much later', async () => {
    const task = await recorded();
    const done = { is: 'done', attempt: 0, outcome: retried, isFollowed: false };
    expect(await ledger.claimSingle(task, uuid, aLease(1))).toEqual(done);
    expect(await ledger.claimSingle(task, uuid, aLease(1e9))).toEqual(done);
  });

  it('is granted for the next attempt, and then no more for the one before', async () => {
    const task = await recorded();
    expect(await ledger.claimSingle({ ...task, attempt: 1 }, uuid, aLease(60_000))).toEqual({
      is: 'claimed',
      base: 0,
      previous: retried,
      past: [],
    });
    expect(await ledger.claimSingle(task, uuid, aLease(60_001))).toMatchObject({
      is: 'done',
      attempt: 1,
      outcome: retried,
    });
    expect(await ledger.claimSingle(task, uuid, aLease(1e9))).toMatchObject({ is: 'done', attempt: 1 });
  });

  it('is granted for the next attempt to one of many', async () => {
    const task = { ...(await recorded()), attempt: 1 };
    const claims = await Promise.all(Array.from({ length: 8 }, () => ledger.claimSingle(task, uuid, aLease(60_000))));
    expect(claims.filter(({ is }) => is === 'claimed')).toHaveLength(1);
  });

  it.each([
    ['delivered', delivered],
    ['failed', failed],
  ])('is granted for no later attempt once it has %s', async (_what, outcome) => {
    const task = await recorded(outcome);
    expect(await ledger.claimSingle({ ...task, attempt: 1 }, uuid, aLease(1e9))).toEqual({
      is: 'done',
      attempt: 0,
      outcome,
      isFollowed: false,
    });
  });

  it('counts from where an operator opened it again', async () => {
    const task = await recorded(failed, 7);
    const operator = redeliver(dynamodb.client, table);
    const [rows = []] = await Array.fromAsync(operator.failed({ messageId: task.messageId }, () => {}));
    for (const one of rows) await operator.reopen(one, noon, expiresAt);
    expect(await ledger.claimSingle({ ...task, attempt: 8 }, uuid, aLease(1))).toMatchObject({
      is: 'claimed',
      base: 8,
    });
    expect(await ledger.claimSingle({ ...task, attempt: 8 }, uuid, aLease(leaseMs + 2))).toMatchObject({
      is: 'claimed',
      base: 8,
    });
  });

  it('is ours when the answer to our own write was lost, with what the policy counts from', async () => {
    const first = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    const task = aTask();
    expect(await deliver(first.client, table).claimSingle(task, uuid, aLease())).toEqual({
      is: 'claimed',
      base: 0,
      past: [],
    });
    const again = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    const taken = await deliver(again.client, table).claimSingle(task, uuid, aLease(leaseMs + 1));
    expect(taken).toEqual({ is: 'claimed', base: 0, past: [] });
    expect([first.lost(), again.lost()]).toEqual([1, 1]);
  });
});

describe('recordSingle', () => {
  it.each([
    [delivered, { state: 'delivered' }, ['owner', 'sweepShard', 'sweepAt']],
    [failed, { state: 'failed', owner: uuid, sweepShard: expect.stringMatching(/^failed#/) }, ['notBefore']],
    [retried, { state: 'waiting', owner: uuid, sweepShard: expect.stringMatching(/^due#/) }, []],
  ])('of %j leaves the row in its state', async (outcome, expected, absent) => {
    await recorded(outcome);
    expect(await row()).toMatchObject({ ...expected, outcome });
    for (const name of absent) expect(await row()).not.toHaveProperty(name);
  });

  it('is refused to whoever lost the claim, and without one', async () => {
    const [task, first, second] = [aTask(), aLease(), aLease(leaseMs + 1)];
    expect(await ledger.recordSingle(task, uuid, first, delivered)).toBe(false);
    await ledger.claimSingle(task, uuid, first);
    await ledger.claimSingle(task, uuid, second);
    expect(await ledger.recordSingle(task, uuid, first, failed)).toBe(false);
    expect(await ledger.recordSingle(task, uuid, second, delivered)).toBe(true);
    expect(await row()).toMatchObject({ state: 'delivered', outcome: delivered });
  });

  it('keeps a row for as long after its retry as it would be after now', async () => {
    const notBefore = noon + 40 * 24 * 3_600_000;
    await recorded({ ...retried, notBefore });
    expect(await row()).toMatchObject({ notBefore, expiresAt: expiresAt + 40 * 24 * 3600 });
  });

  it('remembers the nine attempts before the last, in a row of one write unit', async () => {
    const [messageId, subscription] = [randomUUID(), randomUUID()];
    for (let attempt = 0; attempt < 13; attempt++) {
      const ids = { ...aTask(attempt, messageId), taskKey: `one#${subscription}` };
      const lease = aLease(attempt * 60_000);
      const claim = await ledger.claimSingle(ids, subscription, lease);
      if (claim.is !== 'claimed') throw new Error(`attempt ${attempt} is ${claim.is}`);
      const outcome = {
        ...retried,
        status: 500 + attempt,
        at: lease.now,
        notBefore: lease.now + 60_000,
        tookMs: 14_999,
      };
      await ledger.recordSingle(ids, subscription, lease, outcome, claim);
      await ledger.followed(ids, lease);
    }
    const stored = await row();
    const past = Array.from({ length: 9 }, (_, index) => ['http', 503 + index, noon + (3 + index) * 60_000, 14_999]);
    expect(stored).toMatchObject({ past, outcome: { status: 512 } });
    expect(itemSize(toItem(stored ?? {}))).toBeLessThanOrEqual(1024);
  });

  it('does not remember what its receiver had no part in', async () => {
    const task = aTask();
    const outcomes = [moved, { ...retried, isPostponed: true }, retried, delivered];
    for (const [attempt, outcome] of outcomes.entries()) {
      const [ids, lease] = [{ ...task, attempt }, aLease(attempt * 60_000)];
      const claim = await ledger.claimSingle(ids, uuid, lease);
      if (claim.is !== 'claimed') throw new Error(`attempt ${attempt} is ${claim.is}`);
      await ledger.recordSingle(ids, uuid, lease, outcome, claim);
    }
    expect(await row()).toMatchObject({ past: [['http', 500, noon, null]], outcome: delivered });
  });

  it('is done when the answer to our own write was lost', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claimSingle(task, uuid, lease);
    const { client, lost } = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    expect(await deliver(client, table).recordSingle(task, uuid, lease, retried)).toBe(true);
    expect(lost()).toBe(1);
    expect(await row()).toMatchObject({ state: 'waiting', outcome: retried });
  });
});

describe('drop', () => {
  it('ends a waiting task: nobody looks at it again, and no later attempt is granted', async () => {
    const task = await recorded();
    expect(await ledger.drop(task, false, aLease())).toBeUndefined();
    const dropped = await row();
    expect(dropped).toMatchObject({ state: 'dropped' });
    for (const name of ['owner', 'sweepShard', 'sweepAt']) expect(dropped).not.toHaveProperty(name);
    expect(await ledger.claimSingle({ ...task, attempt: 1 }, uuid, aLease(1e9))).toMatchObject({ is: 'done' });
  });

  it('of a paused subscription lets it stand among the failed, for an operator', async () => {
    await recorded();
    const task = { ...aTask(), messageId: String((await row())?.messageId) };
    const lease = aLease(5);
    expect(await ledger.drop(task, true, lease)).toBe('failed');
    // Of the same millisecond, and yet another's.
    expect(await ledger.drop(task, true, aLease(5))).toBe('stood');
    await ledger.followed(task, lease);
    expect(await ledger.drop(task, true, aLease(5))).toBeUndefined();
    expect(await row()).toMatchObject({
      ...{ state: 'failed', owner: uuid },
      ...{ sweepShard: expect.stringMatching(/^failed#/), sweepAt: String(noon + 5).padStart(15, '0') },
    });
  });

  it('leaves an attempt that is being made to whoever makes it', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claimSingle(task, uuid, lease);
    await ledger.drop(task, false, aLease(leaseMs));
    expect(await row()).toMatchObject({ state: 'claimed' });
    expect(await ledger.recordSingle(task, uuid, lease, delivered)).toBe(true);
  });

  it('ends an attempt whose run has died: the sweeper would bring it back for ever', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claimSingle(task, uuid, lease);
    await ledger.drop(task, false, aLease(leaseMs + 1));
    expect(await row()).toMatchObject({ state: 'dropped' });
    expect(await ledger.recordSingle(task, uuid, lease, retried)).toBe(false);
  });

  it.each([
    ['delivered', delivered],
    ['failed', failed],
  ])('changes nothing that has %s', async (state, outcome) => {
    const task = await recorded(outcome);
    const before = await row();
    await ledger.drop(task, false, aLease(1e9));
    expect(await ledger.drop(task, true, aLease(1e9))).toBe(state === 'failed' ? 'stood' : undefined);
    expect(await row()).toEqual(before);
    expect(before).toMatchObject({ state });
  });

  it('makes no row where there is none', async () => {
    await ledger.drop(aTask(), false, aLease());
    await ledger.drop(aTask(), true, aLease());
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });
});
