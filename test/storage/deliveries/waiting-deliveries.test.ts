import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../shared/domain/deliveries/outcome.ts';
import { maxActiveMessages } from '../../../shared/domain/deliveries/retry.ts';
import { graceMs } from '../../../shared/domain/deliveries/times.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, leaseMs, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = deliveriesStore;
const uuid = 'u';
const dueAt = noon + 60_000;
const idOf = (index: number) => `m${String(index).padStart(4, '0')}`;

let deliveries: ReturnType<typeof permissions.deliver> & ReturnType<typeof permissions.sweep>;
beforeEach(async () => {
  const table = await dynamodb.createTable('deliveries');
  deliveries = { ...permissions.deliver(dynamodb.client, table), ...permissions.sweep(dynamodb.client, table) };
});

/**
 * Creates a row for a message to the subscription `u`. With an outcome, the row waits for a retry. Without an outcome,
 * the row is leased.
 */
async function aRow(messageId: string, outcome?: DeliveryOutcome, isConfirmation = false) {
  const [task, lease] = [
    { messageId, taskKey: `one#${uuid}`, attempt: 0, protocol: 'http', rowShard: 0, isConfirmation } as const,
    aLease(),
  ];
  await deliveries.acquireSingle(task, uuid, lease);
  if (outcome) await deliveries.recordSingle(task, uuid, lease, outcome);
}
const look = (now: number, soonMs = 0) => deliveries.listOldestWaiting(uuid, now, now + soonMs);

describe('the oldest waiting messages', () => {
  it('the oldest waiting messages of a subscription are due now or soon and are sorted by age', async () => {
    await aRow('m2');
    await aRow('m1', retried);
    await aRow('m3', { ...retried, notBefore: noon + 3_600_000 });
    expect(await look(noon)).toEqual(['m2']);
    expect(await look(noon, 60_000)).toEqual(['m1', 'm2']);
  });

  it('exclude stuck messages', async () => {
    await aRow('m1', retried);
    const [row] = (await Array.fromAsync(deliveries.listDue(dueAt + graceMs, () => {}))).flat();
    if (row === undefined) throw new Error('nothing is due');
    expect(await look(dueAt + graceMs)).toEqual(['m1']);
    await deliveries.takeDue(row, dueAt + graceMs, { is: 'stuck' });
    expect(await look(dueAt + graceMs)).toEqual([]);
  });

  it('the oldest waiting messages do not include those whose timer or worker was lost', async () => {
    await aRow('m1', retried);
    await aRow('m2');
    expect(await look(dueAt + graceMs)).toEqual(['m1']);
    expect(await look(dueAt + graceMs + 1)).toEqual([]);
    expect(await look(noon + leaseMs + graceMs)).toContain('m2');
    expect(await look(noon + leaseMs + graceMs + 1)).not.toContain('m2');
  });

  it('exclude confirmations', async () => {
    await aRow('m1', retried, true);
    await aRow('m2', undefined, true);
    expect(await look(noon, 60_000)).toEqual([]);
  });

  it('the oldest waiting messages of a subscription are read page by page until enough are found', async () => {
    const far = { ...retried, notBefore: noon + 3_600_000 };
    const reads: number[] = [];
    await Promise.all(Array.from({ length: 40 }, (_, index) => aRow(idOf(index), far)));
    await Promise.all(Array.from({ length: 40 }, (_, index) => aRow(idOf(40 + index), retried)));
    const { middlewareStack } = dynamodb.client;
    middlewareStack.add(
      (next) => async (given) => {
        const result = await next(given);
        reads.push((result.output as { ScannedCount?: number }).ScannedCount ?? 0);
        return result;
      },
      { name: 'counting', step: 'initialize' },
    );
    const found = await look(noon, 60_000);
    middlewareStack.remove('counting');
    expect(found.slice(0, maxActiveMessages)).toEqual(
      Array.from({ length: maxActiveMessages }, (_, index) => idOf(40 + index)),
    );
    expect(reads).toEqual([25, 25]);
  });
});
