import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { bucketKeyRange } from '../../../shared/domain/deliveries/task-key.ts';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, aPublication, delivered, expiresAt } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingAnswers } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
const { permissions } = ledgerStore;
const openLedger = (client: typeof dynamodb.client, table: string) => ({
  ...permissions.open(client, table),
  ...permissions.fanOut(client, table),
  ...permissions.deliver(client, table),
  ...permissions.sweep(client, table),
});

let table: string;
let ledger: ReturnType<typeof openLedger>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  ledger = openLedger(dynamodb.client, table);
});

describe('open', () => {
  it('keeps the whole message, where the sweeper finds it', async () => {
    const publication = aPublication({ subject: 'death' });
    await ledger.open(publication, 'payload-1', noon, expiresAt);
    expect(await ledger.message(publication.messageId)).toEqual({
      ...publication,
      publicationId: 'payload-1',
      expiresAt,
    });
    expect(await dynamodb.rowsOf(table)).toMatchObject([
      {
        taskKey: 'message',
        sweepShard: expect.stringMatching(/^due#/),
        sweepAt: String(noon + 600_000).padStart(15, '0'),
      },
    ]);
  });

  it('leaves a page as it is that was opened before', async () => {
    const publication = aPublication();
    await ledger.open(publication, 'payload-1', noon, expiresAt);
    await ledger.open({ ...publication, subject: 'other' }, 'payload-2', noon + 5, expiresAt + 5);
    expect(await ledger.message(publication.messageId)).toEqual({
      ...publication,
      publicationId: 'payload-1',
      expiresAt,
    });
  });
});

describe('cut', () => {
  it('is decided once: whoever asks later is told what is in force', async () => {
    const { messageId } = await opened();
    expect(await ledger.partition(messageId, 'payload-1', 3)).toBe(3);
    expect(await ledger.partition(messageId, 'payload-1', 7)).toBe(3);
    expect((await ledger.message(messageId))?.bits).toBe(3);
  });

  it('into one task, by no bits at all, is a decision too', async () => {
    const { messageId } = await opened();
    expect(await ledger.partition(messageId, 'payload-1', 0)).toBe(0);
    expect(await ledger.partition(messageId, 'payload-1', 7)).toBe(0);
  });

  it('is decided by one of many at once', async () => {
    const { messageId } = await opened();
    const cuts = await Promise.all([1, 2, 3, 4, 5].map((bits) => ledger.partition(messageId, 'payload-1', bits)));
    expect(new Set(cuts).size).toBe(1);
    expect([1, 2, 3, 4, 5]).toContain(cuts[0]);
  });

  it('is not for another publication under the same key, before and after it', async () => {
    const { messageId } = await opened();
    expect(await ledger.partition(messageId, 'payload-2', 3)).toBe('other');
    expect(await ledger.partition(messageId, 'payload-1', 4)).toBe(4);
    expect(await ledger.partition(messageId, 'payload-2', 3)).toBe('other');
  });

  it('of a message whose page was not opened is absent, and makes no row', async () => {
    expect(await ledger.partition(randomUUID(), 'payload-1', 3)).toBe('absent');
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });

  it('is the same when the answer to our own write was lost', async () => {
    const { messageId } = await opened();
    const { client, lost } = losingAnswers(dynamodb.client, 'UpdateItemCommand');
    expect(await openLedger(client, table).partition(messageId, 'payload-1', 3)).toBe(3);
    expect(lost()).toBe(1);
  });
});

describe('tasks', () => {
  it('are those within the keys, in their order, and neither the message nor single tasks', async () => {
    const { messageId } = await opened();
    const keys = ['02#000000#http', '02#000001#http', '02#000002#http', '02#000001#email', 'one#u', '03#000001#http'];
    for (const taskKey of keys) {
      const [task, lease] = [{ messageId, taskKey, attempt: 0, protocol: 'http', slice: 0 } as const, aLease()];
      await ledger.claim(task, lease);
      if (taskKey === '02#000001#http') await ledger.record(task, lease, { a: delivered });
    }
    const rows = (await Array.fromAsync(ledger.tasks({ messageId, slice: 0 }, bucketKeyRange(2, 1, 3)))).flat();
    expect(rows).toMatchObject([
      { taskKey: '02#000001#email', state: 'claimed', outcomes: {} },
      { taskKey: '02#000001#http', state: 'recorded', outcomes: { a: delivered } },
      { taskKey: '02#000002#http', state: 'claimed', outcomes: {} },
    ]);
  });
});

describe('settle', () => {
  it('takes the message from where the sweeper looks, and keeps it', async () => {
    const publication = await opened();
    await ledger.settle(publication.messageId);
    const [row] = await dynamodb.rowsOf(table);
    expect(row).not.toHaveProperty('sweepShard');
    expect(row).not.toHaveProperty('sweepAt');
    expect(await ledger.message(publication.messageId)).toMatchObject(publication);
  });

  it('makes no row where there is none', async () => {
    await ledger.settle(randomUUID());
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });
});

describe('keepMessage', () => {
  it('lengthens the life of a message, and never shortens it', async () => {
    const { messageId } = await opened();
    expect(await ledger.keepMessage(messageId, expiresAt + 9)).toBe(true);
    expect(await ledger.keepMessage(messageId, expiresAt + 5)).toBe(false);
    expect(await ledger.message(messageId)).toMatchObject({ expiresAt: expiresAt + 9 });
  });

  it('makes no row where there is none', async () => {
    await ledger.keepMessage(randomUUID(), expiresAt);
    expect(await dynamodb.rowsOf(table)).toEqual([]);
  });
});

async function opened() {
  const publication = aPublication();
  await ledger.open(publication, 'payload-1', noon, expiresAt);
  return publication;
}
