import { beforeEach, describe, expect, it } from 'vitest';
import { graceMs } from '../../../shared/domain/deliveries/times.ts';
import { mostAtOnce } from '../../../shared/domain/deliveries/turn.ts';
import type { LedgerOutcome } from '../../../shared/model/deliveries/outcome.ts';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, leaseMs, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = ledgerStore;
const uuid = 'u';
const dueAt = noon + 60_000;
const idOf = (index: number) => `m${String(index).padStart(4, '0')}`;

let ledger: ReturnType<typeof permissions.deliver> & ReturnType<typeof permissions.sweep>;
beforeEach(async () => {
  const table = await dynamodb.createTable('deliveries');
  ledger = { ...permissions.deliver(dynamodb.client, table), ...permissions.sweep(dynamodb.client, table) };
});

/** The row of a message that waits for `u` until `dueAt`, or is being worked on where it has no outcome. */
async function aRow(messageId: string, outcome?: LedgerOutcome, isConfirmation = false) {
  const [task, lease] = [
    { messageId, taskKey: `one#${uuid}`, attempt: 0, protocol: 'http', slice: 0, isConfirmation } as const,
    aLease(),
  ];
  await ledger.claimSingle(task, uuid, lease);
  if (outcome) await ledger.recordSingle(task, uuid, lease, outcome);
}
const look = (now: number, soonMs = 0) => ledger.oldestWaiting(uuid, now, now + soonMs);

describe('those whose turn it is', () => {
  it('are what is being tried, or will be soon, the oldest first', async () => {
    await aRow('m2');
    await aRow('m1', retried);
    await aRow('m3', { ...retried, notBefore: noon + 3_600_000 });
    expect(await look(noon)).toEqual(['m2']);
    expect(await look(noon, 60_000)).toEqual(['m1', 'm2']);
  });

  it('are none that rest as stuck', async () => {
    await aRow('m1', retried);
    const [row] = (await Array.fromAsync(ledger.due(dueAt + graceMs, () => {}))).flat();
    if (row === undefined) throw new Error('nothing is due');
    expect(await look(dueAt + graceMs)).toEqual(['m1']);
    await ledger.take(row, dueAt + graceMs, { is: 'stuck' });
    expect(await look(dueAt + graceMs)).toEqual([]);
  });

  it('are none whose timer or worker was lost', async () => {
    await aRow('m1', retried);
    await aRow('m2');
    expect(await look(dueAt + graceMs)).toEqual(['m1']);
    expect(await look(dueAt + graceMs + 1)).toEqual([]);
    expect(await look(noon + leaseMs + graceMs)).toContain('m2');
    expect(await look(noon + leaseMs + graceMs + 1)).not.toContain('m2');
  });

  it('are no requests to confirm', async () => {
    await aRow('m1', retried, true);
    await aRow('m2', undefined, true);
    expect(await look(noon, 60_000)).toEqual([]);
  });

  it('are sought page by page until they are enough', async () => {
    const far = { ...retried, notBefore: noon + 3_600_000 };
    const reads: number[] = [];
    await Promise.all(Array.from({ length: 40 }, (_, index) => aRow(idOf(index), far)));
    await Promise.all(Array.from({ length: 40 }, (_, index) => aRow(idOf(40 + index), retried)));
    const { middlewareStack } = dynamodb.client;
    middlewareStack.add(
      (next) => async (given) => {
        const answer = await next(given);
        reads.push((answer.output as { ScannedCount?: number }).ScannedCount ?? 0);
        return answer;
      },
      { name: 'counting', step: 'initialize' },
    );
    const found = await look(noon, 60_000);
    middlewareStack.remove('counting');
    expect(found.slice(0, mostAtOnce)).toEqual(Array.from({ length: mostAtOnce }, (_, index) => idOf(40 + index)));
    expect(reads).toEqual([25, 25]);
  });
});
