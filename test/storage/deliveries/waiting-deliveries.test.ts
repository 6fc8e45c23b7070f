import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../shared/domain/deliveries/outcome.ts';
import { graceMs } from '../../../shared/domain/deliveries/times.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = deliveriesStore;
const uuid = 'u';
const dueAt = noon + 60_000;

let deliveries: ReturnType<typeof permissions.deliver> & ReturnType<typeof permissions.sweep>;
beforeEach(async () => {
  const table = await dynamodb.createTable('deliveries');
  deliveries = { ...permissions.deliver(dynamodb.client, table), ...permissions.sweep(dynamodb.client, table) };
});

/** Creates a row for a message that is this many seconds old. With an outcome, the row waits; without, it is leased. */
async function aRow(messageId: string, ageSeconds: number, outcome?: DeliveryOutcome, isConfirmation = false) {
  const publishedAt = new Date(noon - ageSeconds * 1000).toISOString();
  const ids = { messageId, publishedAt, taskKey: `one#${uuid}`, protocol: 'http' } as const;
  const [task, lease] = [{ ...ids, attempt: 0, rowShard: 0, isConfirmation }, aLease()];
  await deliveries.acquireSingle(task, uuid, lease);
  if (outcome) await deliveries.recordSingle(task, uuid, lease, outcome);
}
const oldest = async (most = 9) => (await deliveries.listWaiting(uuid, most)).map(({ messageId }) => messageId);

describe('the waiting messages of a subscription', () => {
  it('are listed by publication time, whatever their ids and the times of their retries', async () => {
    await aRow('m1', 1, retried);
    await aRow('m3', 3, { ...retried, notBefore: noon + 3_600_000 });
    await aRow('m2', 2);
    expect(await oldest()).toEqual(['m3', 'm2', 'm1']);
    expect(await oldest(2)).toEqual(['m3', 'm2']);
  });

  it('do not include stuck messages', async () => {
    await aRow('m1', 1, retried);
    const [row] = (await Array.fromAsync(deliveries.listDue(dueAt + graceMs, () => {}))).flat();
    if (row === undefined) throw new Error('nothing is due');
    expect(await oldest()).toEqual(['m1']);
    await deliveries.takeDue(row, dueAt + graceMs, { is: 'stuck' });
    expect(await oldest()).toEqual([]);
  });

  it('do not include confirmation requests', async () => {
    await aRow('m1', 1, retried, true);
    await aRow('m2', 2, undefined, true);
    expect(await oldest()).toEqual([]);
  });
});
