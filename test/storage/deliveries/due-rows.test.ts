import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../shared/domain/deliveries/outcome.ts';
import type { SweepDecision } from '../../../shared/domain/deliveries/sweep-decision.ts';
import { graceMs } from '../../../shared/domain/deliveries/times.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { noon } from '../../harness/builders.ts';
import {
  aLease,
  aPublication,
  delivered,
  expiresAt,
  failed,
  leaseMs,
  publishedAt,
  retried,
} from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';

const dynamodb = useDynamodb();
const { permissions } = deliveriesStore;
const openDeliveries = (client: typeof dynamodb.client, table: string) => ({
  ...permissions.publish(client, table),
  ...permissions.deliver(client, table),
  ...permissions.sweep(client, table),
  ...permissions.redeliverFailed(client, table),
  ...permissions.startRecovery(client, table),
});

let table: string;
let deliveries: ReturnType<typeof openDeliveries>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = openDeliveries(dynamodb.client, table);
});

/**
 * Creates a single delivery whose attempt has the given outcome. If no outcome is given, the attempt is still in
 * progress.
 */
async function single(
  outcome?: DeliveryOutcome,
  uuid: string = randomUUID(),
  messageId: string = randomUUID(),
  rowShard = 0,
) {
  const [task, lease] = [
    { messageId, taskKey: `one#${uuid}`, attempt: 0, protocol: 'http', publishedAt, rowShard } as const,
    aLease(),
  ];
  await deliveries.acquireSingle(task, uuid, lease);
  if (outcome) await deliveries.recordSingle(task, uuid, lease, outcome);
  return { ...task, uuid };
}
const onError = (fault: unknown) => {
  throw fault;
};
const due = async (now: number) => (await Array.fromAsync(deliveries.listDue(now, onError))).flat();
const firstDue = async (now: number) => (await due(now))[0] ?? expect.unreachable('nothing is due');
const failures = async (choice: Parameters<typeof deliveries.listFailed>[0]) =>
  (await Array.fromAsync(deliveries.listFailed(choice, onError))).flatMap(({ rows }) => rows);

describe('listDue', () => {
  it.each([
    ['a retry', retried, noon + 60_000 + graceMs],
    ['an attempt in progress', undefined, noon + leaseMs + graceMs],
  ])('listDue lists %s at its due time, but not before', async (_what, outcome, at) => {
    const { messageId, taskKey } = await single(outcome);
    expect(await due(at - 1)).toEqual([]);
    const state = outcome ? 'waiting' : 'leased';
    expect(await due(at)).toEqual([
      {
        ...{ messageId, taskKey, state, attempt: 0, base: 0, protocol: 'http', isConfirmation: false },
        messageShard: `${messageId}#0`,
        ...{ resumes: 0, wasPostponed: false, skippedProtocols: [], isStuck: false, failingSince: 0 },
        sweepShard: expect.stringMatching(/^due#\d+$/),
        sweepAt: String(at).padStart(15, '0'),
      },
    ]);
  });

  it('listDue reports an unreadable row and lists the other rows', async () => {
    const [odd, sound] = [await single(retried), await single(retried)];
    const Key = toItem({ messageShard: `${odd.messageId}#0`, taskKey: odd.taskKey });
    const write = { UpdateExpression: 'SET protocol = :odd', ExpressionAttributeValues: toItem({ ':odd': 'pigeon' }) };
    await dynamodb.client.send(new UpdateItemCommand({ TableName: table, Key, ...write }));
    const reported: unknown[] = [];
    const pages = await Array.fromAsync(
      deliveries.listDue(noon + 60_000 + graceMs, (...fault) => void reported.push(fault)),
    );
    expect(pages.flat()).toMatchObject([{ messageId: sound.messageId }]);
    const ids = { messageId: odd.messageId, taskKey: odd.taskKey };
    expect(reported).toMatchObject([[{ errorName: 'unreadableRow', ids }, ids]]);
  });

  it('ten minutes after publication, listDue lists the message without a protocol', async () => {
    const publication = aPublication();
    await deliveries.createMessage(publication, 'payload', noon, expiresAt);
    expect(await due(noon + 599_999)).toEqual([]);
    const [row] = await due(noon + 600_000);
    expect(row).toMatchObject({ messageId: publication.messageId, taskKey: 'message' });
    expect(row?.protocol).toBeUndefined();
  });

  it('listDue lists all incomplete rows and no complete rows', async () => {
    await Promise.all([single(delivered), single(failed)]);
    const open = await Promise.all(Array.from({ length: 30 }, () => single(retried)));
    const seen = (await due(noon + 1e9)).map(({ messageId }) => messageId);
    expect(seen.toSorted()).toEqual(open.map(({ messageId }) => messageId).toSorted());
  });
});

describe('takeDue', () => {
  const at = noon + 60_000 + graceMs;
  const again: SweepDecision = { is: 'sent', forMs: graceMs };

  it('takeDue succeeds for only one of several sweepers', async () => {
    await single(retried);
    const row = await firstDue(at);
    const taken = await Promise.all(Array.from({ length: 5 }, () => deliveries.takeDue(row, at, again)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await due(at + graceMs - 1)).toEqual([]);
    expect(await due(at + graceMs)).toHaveLength(1);
  });

  it('takeDue counts resumes and marks a postponement, and recording the next outcome resets both', async () => {
    const { uuid, ...task } = await single(retried);
    const looks: SweepDecision[] = [again, { is: 'postponed', forMs: graceMs, wasPostponed: true }, again];
    const noted: unknown[] = [];
    for (const [index, look] of looks.entries()) {
      const row = await firstDue(at + index * graceMs);
      await deliveries.takeDue(row, at + index * graceMs, look);
      const [taken] = await due(noon + 1e9);
      noted.push([taken?.resumes, taken?.wasPostponed]);
    }
    expect(noted).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ]);
    const lease = aLease(60_000);
    await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, lease);
    await deliveries.recordSingle({ ...task, attempt: 1 }, uuid, lease, retried);
    expect(await due(noon + 1e9)).toMatchObject([{ resumes: 0, wasPostponed: false }]);
  });

  it('takeDue marks a stuck row as failed until another attempt acquires the row', async () => {
    const { uuid, ...task } = await single(retried);
    const row = await firstDue(at);
    expect(await deliveries.takeDue(row, at, { is: 'stuck' })).toBe(true);
    expect(await due(noon + 1e12)).toEqual([]);
    const rows = () => dynamodb.rowsOf(table);
    const sweepShard = expect.stringMatching(/^failed#/);
    expect(await rows()).toMatchObject([{ state: 'waiting', isStuck: true, owner: uuid, sweepShard }]);
    const pages = await Array.fromAsync(deliveries.listFailed({ since: 0 }, onError));
    expect(pages.flatMap(({ stuckMessages }) => stuckMessages)).toEqual([]);
    const { is } = await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, aLease(at - noon));
    expect(is).toBe('leased');
    expect((await rows())[0]).not.toHaveProperty('isStuck');
    expect(await due(noon + 1e12)).toHaveLength(1);
  });

  it('takeDue fails if the row has changed', async () => {
    const { uuid, ...task } = await single(retried);
    const row = await firstDue(at);
    await deliveries.acquireSingle({ ...task, attempt: 1 }, uuid, aLease(at - noon));
    expect(await deliveries.takeDue(row, at, again)).toBe(false);
    await deliveries.dropSingle({ ...task, attempt: 1 }, false, aLease(at - noon + 1e6));
    expect(await deliveries.takeDue(row, at, again)).toBe(false);
  });
});

it('dropDue drops a due row, but does not change a failed row', async () => {
  const [open, over] = [await single(retried), await single(retried)];
  const rows = await due(noon + 1e9);
  const lease = aLease(1);
  await deliveries.acquireSingle({ ...over, attempt: 1 }, over.uuid, lease);
  await deliveries.recordSingle({ ...over, attempt: 1 }, over.uuid, lease, failed);
  for (const row of rows) await deliveries.dropDue(row, noon + 1e9);
  expect(await due(noon + 1e9)).toEqual([]);
  const states = (await dynamodb.rowsOf(table)).map(({ messageId, state }) => [messageId, state]);
  expect(Object.fromEntries(states)).toEqual({ [open.messageId]: 'dropped', [over.messageId]: 'failed' });
});

it('dropDue does not change a row whose lease has not expired', async () => {
  await single();
  const row = await firstDue(noon + 1e9);
  await deliveries.dropDue(row, noon + leaseMs);
  expect(await dynamodb.rowsOf(table)).toMatchObject([{ state: 'leased' }]);
  await deliveries.dropDue(row, noon + leaseMs + 1);
  expect(await dynamodb.rowsOf(table)).toMatchObject([{ state: 'dropped' }]);
});

describe('listFailed', () => {
  it('listFailed lists the failed rows of a message or a subscription, or all failed rows since a given time', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [first, second] = [randomUUID(), randomUUID()];
    await single(failed, one, first);
    await single({ ...failed, at: noon + 5000 }, other, first, 15);
    await single({ ...failed, at: noon + 5000 }, one, second);
    await single(retried, randomUUID(), first);
    await single(delivered, randomUUID(), second);
    await single(retried, one, randomUUID());
    const found = async (choice: Parameters<typeof deliveries.listFailed>[0]) =>
      (await failures(choice)).map(({ messageId, taskKey }) => `${messageId} ${taskKey}`).toSorted();
    expect(await found({ messageId: first })).toEqual([`${first} one#${one}`, `${first} one#${other}`].toSorted());
    expect(await found({ subscription: one })).toEqual([`${first} one#${one}`, `${second} one#${one}`].toSorted());
    expect(await found({ since: noon + 1 })).toEqual([`${first} one#${other}`, `${second} one#${one}`].toSorted());
    expect(await found({ since: noon })).toHaveLength(3);
    expect(await found({ since: noon + 5001 })).toEqual([]);
  });

  it('listFailed leaves out a stuck recovery', async () => {
    const range = { since: publishedAt, until: publishedAt, stepId: randomUUID() };
    await deliveries.startRecovery(randomUUID(), range, noon, expiresAt);
    await deliveries.takeDue(await firstDue(noon + 1e9), noon + 1e9, { is: 'stuck' });
    expect(await failures({ since: 0 })).toEqual([]);
  });

  it.each([
    ['of a message', (task: { messageId: string }) => ({ messageId: task.messageId })],
    ['of a subscription', (task: { uuid: string }) => ({ subscription: task.uuid })],
    ['since a time', () => ({ since: noon })],
  ])('for failed rows %s, listFailed returns the fields that `reopen` needs', async (_what, choiceOf) => {
    const task = await single(failed);
    expect(await failures(choiceOf(task))).toMatchObject([
      { messageId: task.messageId, taskKey: task.taskKey, attempt: 0, base: 0, protocol: 'http', state: 'failed' },
    ]);
  });
});

it('reopen succeeds for only one of several operators, and retries are then counted from the next attempt', async () => {
  const { messageId } = await single(failed);
  const [row] = await failures({ messageId });
  if (row === undefined) throw new Error('nothing has failed');
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => deliveries.reopen({ ...row, publishedAt }, noon + 9, expiresAt + 9)),
  );
  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(await failures({ messageId })).toEqual([]);
  expect(await failures({ since: 0 })).toEqual([]);
  expect(await dynamodb.rowsOf(table)).toMatchObject([
    { state: 'waiting', attempt: 0, base: 1, notBefore: noon + 9, expiresAt: expiresAt + 9 },
  ]);
  expect(await due(noon + 9 + graceMs)).toHaveLength(1);
});

describe('the waiting messages of a subscription', () => {
  const [uuid, dueAt] = ['u', noon + 60_000];

  /**
   * Creates a row for a message that is `ageSeconds` old. If an outcome is given, the row is waiting. Otherwise, the
   * row is leased.
   */
  async function aRow(messageId: string, ageSeconds: number, outcome?: DeliveryOutcome, isConfirmation = false) {
    const publishedAt = new Date(noon - ageSeconds * 1000).toISOString();
    const ids = { messageId, publishedAt, taskKey: `one#${uuid}`, protocol: 'http' } as const;
    const [task, lease] = [{ ...ids, attempt: 0, rowShard: 0, isConfirmation }, aLease()];
    await deliveries.acquireSingle(task, uuid, lease);
    if (outcome) await deliveries.recordSingle(task, uuid, lease, outcome);
  }
  const oldest = async (most = 9) => (await deliveries.listWaiting(uuid, most)).map(({ messageId }) => messageId);

  it('the waiting messages are listed by publication time, regardless of their IDs and retry times', async () => {
    await aRow('m1', 1, retried);
    await aRow('m3', 3, { ...retried, notBefore: noon + 3_600_000 });
    await aRow('m2', 2);
    expect(await oldest()).toEqual(['m3', 'm2', 'm1']);
    expect(await oldest(2)).toEqual(['m3', 'm2']);
    for (let one = 10; one < 36; one++) await aRow(`m${one}`, one, retried);
    expect([await oldest(1), (await oldest(29)).length]).toEqual([['m35'], 29]);
  });

  it('the waiting messages do not include stuck messages', async () => {
    await aRow('m1', 1, retried);
    const row = await firstDue(dueAt + graceMs);
    expect(await oldest()).toEqual(['m1']);
    await deliveries.takeDue(row, dueAt + graceMs, { is: 'stuck' });
    expect(await oldest()).toEqual([]);
  });

  it('the waiting messages do not include confirmation requests', async () => {
    await aRow('m1', 1, retried, true);
    await aRow('m2', 2, undefined, true);
    expect(await oldest()).toEqual([]);
  });
});
