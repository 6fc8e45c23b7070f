import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { shardKeyRange } from '../../../shared/domain/deliveries/task.ts';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, aPublication, delivered, expiresAt, publishedAt } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { losingResponses } from '../../harness/lost-responses.ts';

const dynamodb = useDynamodb();
const { permissions } = deliveriesStore;
const openDeliveries = (client: typeof dynamodb.client, table: string) => ({
  ...permissions.publish(client, table),
  ...permissions.fanOut(client, table),
  ...permissions.deliver(client, table),
  ...permissions.sweep(client, table),
});

let table: string;
let deliveries: ReturnType<typeof openDeliveries>;
beforeEach(async () => {
  table = await dynamodb.createTable('deliveries');
  deliveries = openDeliveries(dynamodb.client, table);
});

it('createMessage stores the whole message and makes it due for the sweeper', async () => {
  const publication = aPublication({ subject: 'death' });
  await deliveries.createMessage(publication, 'payload-1', noon, expiresAt);
  const stored = { ...publication, publicationId: 'payload-1', expiresAt };
  expect(await deliveries.getMessage(publication.messageId)).toEqual(stored);
  const due = { sweepShard: expect.stringMatching(/^due#/), sweepAt: String(noon + 600_000).padStart(15, '0') };
  expect(await dynamodb.rowsOf(table)).toMatchObject([{ taskKey: 'message', ...due }]);
});

it('createMessage does not change an existing row', async () => {
  const publication = await opened();
  await deliveries.createMessage({ ...publication, subject: 'other' }, 'payload-2', noon + 5, expiresAt + 5);
  const stored = { ...publication, publicationId: 'payload-1', expiresAt };
  expect(await deliveries.getMessage(publication.messageId)).toEqual(stored);
});

it.each([3, 0])(
  'fixShards sets the number of shards once, and later calls return the first value: %i',
  async (bits) => {
    const { messageId } = await opened();
    expect(await deliveries.fixShards(messageId, 'payload-1', bits)).toBe(bits);
    expect(await deliveries.fixShards(messageId, 'payload-1', 7)).toBe(bits);
    expect((await deliveries.getMessage(messageId))?.shardBits).toBe(bits);
  },
);

it('fixShards stores the value of only one of many concurrent calls, and returns that value to all calls', async () => {
  const { messageId } = await opened();
  const cuts = await Promise.all(
    [1, 2, 3, 4, 5].map((shardBits) => deliveries.fixShards(messageId, 'payload-1', shardBits)),
  );
  expect(new Set(cuts).size).toBe(1);
  expect([1, 2, 3, 4, 5]).toContain(cuts[0]);
});

it('fixShards returns "other" for a different publication with the same key', async () => {
  const { messageId } = await opened();
  expect(await deliveries.fixShards(messageId, 'payload-2', 3)).toBe('other');
  expect(await deliveries.fixShards(messageId, 'payload-1', 4)).toBe(4);
  expect(await deliveries.fixShards(messageId, 'payload-2', 3)).toBe('other');
});

it('fixShards returns "absent" and creates no row if the message has no row', async () => {
  expect(await deliveries.fixShards(randomUUID(), 'payload-1', 3)).toBe('absent');
  expect(await dynamodb.rowsOf(table)).toEqual([]);
});

it('fixShards returns the same value if the response to its own write is lost', async () => {
  const { messageId } = await opened();
  const { client, lost } = losingResponses(dynamodb.client, 'UpdateItemCommand');
  expect(await openDeliveries(client, table).fixShards(messageId, 'payload-1', 3)).toBe(3);
  expect(lost()).toBe(1);
});

it('the tasks of a message are listed in key order, without the message row and single deliveries', async () => {
  const { messageId } = await opened();
  const keys = ['02#000000#http', '02#000001#http', '02#000002#http', '02#000001#email', 'one#u', '03#000001#http'];
  for (const taskKey of keys) {
    const [task, lease] = [
      { messageId, taskKey, attempt: 0, protocol: 'http', publishedAt, rowShard: 0 } as const,
      aLease(),
    ];
    await deliveries.acquire(task, lease);
    if (taskKey === '02#000001#http') await deliveries.record(task, lease, { a: delivered });
  }
  const rows = (await Array.fromAsync(deliveries.listTasks({ messageId, rowShard: 0 }, shardKeyRange(2, 1, 3)))).flat();
  expect(rows).toMatchObject([
    { taskKey: '02#000001#email', state: 'leased', outcomes: {} },
    { taskKey: '02#000001#http', state: 'recorded', outcomes: { a: delivered } },
    { taskKey: '02#000002#http', state: 'leased', outcomes: {} },
  ]);
});

it('completeMessage removes the message from the sweep but keeps its row', async () => {
  const publication = await opened();
  await deliveries.completeMessage(publication.messageId);
  const [row] = await dynamodb.rowsOf(table);
  expect(row).not.toHaveProperty('sweepShard');
  expect(row).not.toHaveProperty('sweepAt');
  expect(await deliveries.getMessage(publication.messageId)).toMatchObject(publication);
});

it('completeMessage creates no row if the message has no row', async () => {
  await deliveries.completeMessage(randomUUID());
  expect(await dynamodb.rowsOf(table)).toEqual([]);
});

it('extendMessage can extend the lifetime of a message, but cannot shorten it', async () => {
  const { messageId } = await opened();
  expect(await deliveries.extendMessage(messageId, expiresAt + 9)).toBe(true);
  expect(await deliveries.extendMessage(messageId, expiresAt + 5)).toBe(false);
  expect(await deliveries.getMessage(messageId)).toMatchObject({ expiresAt: expiresAt + 9 });
});

it('extendMessage creates no row if the message has no row', async () => {
  await deliveries.extendMessage(randomUUID(), expiresAt);
  expect(await dynamodb.rowsOf(table)).toEqual([]);
});

async function opened() {
  const publication = aPublication();
  await deliveries.createMessage(publication, 'payload-1', noon, expiresAt);
  return publication;
}
