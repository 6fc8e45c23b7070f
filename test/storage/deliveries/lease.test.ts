import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { aLease, leaseMs, publishedAt, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { deliver } = deliveriesStore.permissions;
const uuid = 'u';

let table: string;
let deliveries: ReturnType<typeof deliver>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = deliver(dynamodb.client, table);
});

const aTask = () =>
  ({
    messageId: randomUUID(),
    taskKey: `one#${uuid}`,
    attempt: 0,
    protocol: 'http',
    publishedAt,
    rowShard: 0,
  }) as const;
const row = async () => (await dynamodb.rowsOf(table))[0];

describe('after-effects of a recorded attempt', () => {
  it('after-effects are executed by the run that recorded the attempt, or by only one other run after the lease has expired', async () => {
    const [task, lease] = [aTask(), aLease()];
    await deliveries.acquireSingle(task, uuid, lease);
    expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs + 1))).toBe('done');
    await deliveries.recordSingle(task, uuid, lease, retried);
    expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs))).toBe('busy');
    const other = aLease(leaseMs + 1);
    expect(await deliveries.takeOverAfterEffects(task, other)).toBe('taken');
    expect(await deliveries.takeOverAfterEffects(task, other)).toBe('taken');
    expect(await deliveries.takeOverAfterEffects(task, aLease(leaseMs + 1))).toBe('busy');
    // A run that lost its lease cannot mark the after-effects as done.
    await deliveries.markAfterEffectsDone(task, lease);
    expect(await row()).not.toHaveProperty('hasRunAfterEffects');
    await deliveries.markAfterEffectsDone(task, other);
    expect(await deliveries.takeOverAfterEffects(task, aLease(1e9))).toBe('done');
    const next = { ...task, attempt: 1 };
    await deliveries.acquireSingle(next, uuid, aLease(60_000));
    expect(await row()).toMatchObject({ state: 'leased', attempt: 1 });
  });

  it('after-effects are repeated for each attempt', async () => {
    const [task, lease, later] = [aTask(), aLease(), aLease(60_000)];
    await deliveries.acquireSingle(task, uuid, lease);
    await deliveries.recordSingle(task, uuid, lease, retried);
    await deliveries.markAfterEffectsDone(task, lease);
    await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, later);
    await deliveries.recordSingle({ ...task, attempt: 1 }, uuid, later, retried);
    expect(await deliveries.takeOverAfterEffects(task, aLease(60_000 + leaseMs + 1))).toBe('taken');
  });
});
