import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Look } from '../../../shared/domain/deliveries/look.ts';
import { graceMs } from '../../../shared/domain/deliveries/times.ts';
import type { LedgerOutcome } from '../../../shared/model/deliveries/outcome.ts';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, aPublication, delivered, expiresAt, failed, leaseMs, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = ledgerStore;
const openLedger = (client: typeof dynamodb.client, table: string) => ({
  ...permissions.open(client, table),
  ...permissions.deliver(client, table),
  ...permissions.sweep(client, table),
  ...permissions.redeliver(client, table),
});

let table: string;
let ledger: ReturnType<typeof openLedger>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = openLedger(dynamodb.client, table);
});

/** A single task whose attempt ended like this, or which is still claimed. */
async function single(
  outcome?: LedgerOutcome,
  uuid: string = randomUUID(),
  messageId: string = randomUUID(),
  slice = 0,
) {
  const [task, lease] = [{ messageId, taskKey: `one#${uuid}`, attempt: 0, protocol: 'http', slice } as const, aLease()];
  await ledger.claimSingle(task, uuid, lease);
  if (outcome) await ledger.recordSingle(task, uuid, lease, outcome);
  return { ...task, uuid };
}
const onFault = (fault: unknown) => {
  throw fault;
};
const due = async (now: number) => (await Array.fromAsync(ledger.due(now, onFault))).flat();
const failures = async (choice: Parameters<typeof ledger.failed>[0]) =>
  (await Array.fromAsync(ledger.failed(choice, onFault))).flat();

describe('due', () => {
  it.each([
    ['a retry', retried, noon + 60_000 + graceMs],
    ['an attempt that is still being made', undefined, noon + leaseMs + graceMs],
  ])('shows %s when its time has come and gone, and not before', async (_what, outcome, at) => {
    const { messageId, taskKey } = await single(outcome);
    expect(await due(at - 1)).toEqual([]);
    const state = outcome ? 'waiting' : 'claimed';
    expect(await due(at)).toEqual([
      {
        ...{ messageId, taskKey, state, attempt: 0, base: 0, protocol: 'http', isConfirmation: false },
        messageSlice: `${messageId}#0`,
        ...{ resumes: 0, isPutOff: false, leftOut: [], isStuck: false },
        sweepShard: expect.stringMatching(/^due#\d+$/),
        sweepAt: String(at).padStart(15, '0'),
      },
    ]);
  });

  it('tells of a row that it cannot read, and shows the others', async () => {
    const [odd, sound] = [await single(retried), await single(retried)];
    const Key = toItem({ messageSlice: `${odd.messageId}#0`, taskKey: odd.taskKey });
    const write = { UpdateExpression: 'SET protocol = :odd', ExpressionAttributeValues: toItem({ ':odd': 'pigeon' }) };
    await dynamodb.client.send(new UpdateItemCommand({ TableName: table, Key, ...write }));
    const told: unknown[] = [];
    const pages = await Array.fromAsync(ledger.due(noon + 60_000 + graceMs, (...fault) => void told.push(fault)));
    expect(pages.flat()).toMatchObject([{ messageId: sound.messageId }]);
    const ids = { messageId: odd.messageId, taskKey: odd.taskKey };
    expect(told).toMatchObject([[{ fault: 'unreadableRow', ids }, ids]]);
  });

  it('shows a message ten minutes after its publication, without protocol', async () => {
    const publication = aPublication();
    await ledger.open(publication, 'payload', noon, expiresAt);
    expect(await due(noon + 599_999)).toEqual([]);
    const [row] = await due(noon + 600_000);
    expect(row).toMatchObject({ messageId: publication.messageId, taskKey: 'message' });
    expect(row?.protocol).toBeUndefined();
  });

  it('shows nothing that is over, and everything else of many', async () => {
    await Promise.all([single(delivered), single(failed)]);
    const open = await Promise.all(Array.from({ length: 30 }, () => single(retried)));
    const seen = (await due(noon + 1e9)).map(({ messageId }) => messageId);
    expect(seen.toSorted()).toEqual(open.map(({ messageId }) => messageId).toSorted());
  });
});

describe('take', () => {
  const at = noon + 60_000 + graceMs;
  const again: Look = { is: 'sent', forMs: graceMs };

  it('is granted to one of several sweepers', async () => {
    await single(retried);
    const [row] = await due(at);
    if (row === undefined) throw new Error('nothing is due');
    const taken = await Promise.all(Array.from({ length: 5 }, () => ledger.take(row, at, again)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await due(at + graceMs - 1)).toEqual([]);
    expect(await due(at + graceMs)).toHaveLength(1);
  });

  it('notes how often a row was sent again, that it was put off, and forgets it with the next outcome', async () => {
    const { uuid, ...task } = await single(retried);
    const looks: Look[] = [again, { is: 'putOff', forMs: graceMs, isPutOff: true }, again];
    const noted: unknown[] = [];
    for (const [index, look] of looks.entries()) {
      const [row] = await due(at + index * graceMs);
      if (row === undefined) throw new Error('nothing is due');
      await ledger.take(row, at + index * graceMs, look);
      const [taken] = await due(noon + 1e9);
      noted.push([taken?.resumes, taken?.isPutOff]);
    }
    expect(noted).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ]);
    const lease = aLease(60_000);
    await ledger.claimSingle({ ...task, attempt: 1 }, uuid, lease);
    await ledger.recordSingle({ ...task, attempt: 1 }, uuid, lease, retried);
    expect(await due(noon + 1e9)).toMatchObject([{ resumes: 0, isPutOff: false }]);
  });

  it('lets a stuck row rest among the failed, until a task for it comes back', async () => {
    const { uuid, ...task } = await single(retried);
    const [row] = await due(at);
    if (row === undefined) throw new Error('nothing is due');
    expect(await ledger.take(row, at, { is: 'stuck' })).toBe(true);
    expect(await due(noon + 1e12)).toEqual([]);
    const rows = () => dynamodb.rowsOf(table);
    expect(await rows()).toMatchObject(
      [{ state: 'waiting', isStuck: true, owner: uuid, sweepShard: /^failed#/ }].map((one) => ({
        ...one,
        sweepShard: expect.stringMatching(one.sweepShard),
      })),
    );
    expect(await ledger.claimSingle({ ...task, attempt: 1 }, uuid, aLease(at - noon))).toMatchObject({ is: 'claimed' });
    expect((await rows())[0]).not.toHaveProperty('isStuck');
    expect(await due(noon + 1e12)).toHaveLength(1);
  });

  it('is refused once the row has moved on', async () => {
    const { uuid, ...task } = await single(retried);
    const [row] = await due(at);
    if (row === undefined) throw new Error('nothing is due');
    await ledger.claimSingle({ ...task, attempt: 1 }, uuid, aLease(at - noon));
    expect(await ledger.take(row, at, again)).toBe(false);
    await ledger.drop({ ...task, attempt: 1 }, false, aLease(at - noon + 1e6));
    expect(await ledger.take(row, at, again)).toBe(false);
  });
});

describe('end', () => {
  it('takes a row out of the sweep, and leaves one alone that has failed meanwhile', async () => {
    const [open, over] = [await single(retried), await single(retried)];
    const rows = await due(noon + 1e9);
    const lease = aLease(1);
    await ledger.claimSingle({ ...over, attempt: 1 }, over.uuid, lease);
    await ledger.recordSingle({ ...over, attempt: 1 }, over.uuid, lease, failed);
    for (const row of rows) await ledger.end(row);
    expect(await due(noon + 1e9)).toEqual([]);
    const states = (await dynamodb.rowsOf(table)).map(({ messageId, state }) => [messageId, state]);
    expect(Object.fromEntries(states)).toEqual({ [open.messageId]: 'dropped', [over.messageId]: 'failed' });
  });
});

describe('failed', () => {
  it('finds what has failed of a message, of a subscription, and since a time, and nothing else', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [first, second] = [randomUUID(), randomUUID()];
    await single(failed, one, first);
    await single({ ...failed, at: noon + 5000 }, other, first, 15);
    await single({ ...failed, at: noon + 5000 }, one, second);
    await single(retried, randomUUID(), first);
    await single(delivered, randomUUID(), second);
    await single(retried, one, randomUUID());
    const found = async (choice: Parameters<typeof ledger.failed>[0]) =>
      (await failures(choice)).map(({ messageId, taskKey }) => `${messageId} ${taskKey}`).toSorted();
    expect(await found({ messageId: first })).toEqual([`${first} one#${one}`, `${first} one#${other}`].toSorted());
    expect(await found({ subscription: one })).toEqual([`${first} one#${one}`, `${second} one#${one}`].toSorted());
    expect(await found({ since: noon + 1 })).toEqual([`${first} one#${other}`, `${second} one#${one}`].toSorted());
    expect(await found({ since: noon })).toHaveLength(3);
    expect(await found({ since: noon + 5001 })).toEqual([]);
  });

  it.each([
    ['of a message', (task: { messageId: string }) => ({ messageId: task.messageId })],
    ['of a subscription', (task: { uuid: string }) => ({ subscription: task.uuid })],
    ['since a time', () => ({ since: noon })],
  ])('gives what reopening needs: %s', async (_what, choiceOf) => {
    const task = await single(failed);
    expect(await failures(choiceOf(task))).toMatchObject([
      { messageId: task.messageId, taskKey: task.taskKey, attempt: 0, base: 0, protocol: 'http', state: 'failed' },
    ]);
  });
});

describe('reopen', () => {
  it('is granted to one of several, and lets the policy count from the next attempt', async () => {
    const { messageId } = await single(failed);
    const [row] = await failures({ messageId });
    if (row === undefined) throw new Error('nothing has failed');
    const opened = await Promise.all(Array.from({ length: 5 }, () => ledger.reopen(row, noon + 9, expiresAt + 9)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await failures({ messageId })).toEqual([]);
    expect(await failures({ since: 0 })).toEqual([]);
    expect(await dynamodb.rowsOf(table)).toMatchObject([
      { state: 'waiting', attempt: 0, base: 1, notBefore: noon + 9, expiresAt: expiresAt + 9 },
    ]);
    expect(await due(noon + 9 + graceMs)).toHaveLength(1);
  });
});
