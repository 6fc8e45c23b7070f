import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { aLease, leaseMs, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { deliver } = ledgerStore.permissions;
const uuid = 'u';

let table: string;
let ledger: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = deliver(dynamodb.client, table);
});

const aTask = () =>
  ({ messageId: randomUUID(), taskKey: `one#${uuid}`, attempt: 0, protocol: 'http', slice: 0 }) as const;
const row = async () => (await dynamodb.rowsOf(table))[0];

describe('what follows from a recorded attempt', () => {
  it('is the business of whoever recorded it, and of one other once that lease is over', async () => {
    const [task, lease] = [aTask(), aLease()];
    await ledger.claimSingle(task, uuid, lease);
    expect(await ledger.takeOver(task, aLease(leaseMs + 1))).toBe('followed');
    await ledger.recordSingle(task, uuid, lease, retried);
    expect(await ledger.takeOver(task, aLease(leaseMs))).toBe('busy');
    const other = aLease(leaseMs + 1);
    expect(await ledger.takeOver(task, other)).toBe('taken');
    expect(await ledger.takeOver(task, other)).toBe('taken');
    expect(await ledger.takeOver(task, aLease(leaseMs + 1))).toBe('busy');
    // The one that has lost its lease notes nothing.
    await ledger.followed(task, lease);
    expect(await row()).not.toHaveProperty('isFollowed');
    await ledger.followed(task, other);
    expect(await ledger.takeOver(task, aLease(1e9))).toBe('followed');
    const next = { ...task, attempt: 1 };
    await ledger.claimSingle(next, uuid, aLease(60_000));
    expect(await row()).toMatchObject({ state: 'claimed', attempt: 1 });
  });

  it('is open anew with each attempt', async () => {
    const [task, lease, later] = [aTask(), aLease(), aLease(60_000)];
    await ledger.claimSingle(task, uuid, lease);
    await ledger.recordSingle(task, uuid, lease, retried);
    await ledger.followed(task, lease);
    await ledger.claimSingle({ ...task, attempt: 1 }, uuid, later);
    await ledger.recordSingle({ ...task, attempt: 1 }, uuid, later, retried);
    expect(await ledger.takeOver(task, aLease(60_000 + leaseMs + 1))).toBe('taken');
  });
});
