import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { deliveries as deliveriesStore } from '../../../shared/storage/deliveries/store.ts';
import { noon } from '../../harness/builders.ts';
import { aBatchTask, aLease, aPublication, delivered, expiresAt, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { type Interference, interfereWith } from '../../harness/interference.ts';

const dynamodb = useDynamodb();
const { permissions } = deliveriesStore;
const openDeliveries = (table: string) => ({
  ...permissions.publish(dynamodb.client, table),
  ...permissions.fanOut(dynamodb.client, table),
  ...permissions.deliver(dynamodb.client, table),
  ...permissions.list(dynamodb.client, table),
});

let deliveries: ReturnType<typeof openDeliveries>;
beforeEach(async () => {
  deliveries = openDeliveries(await dynamodb.createTable('deliveries'));
});

const create = (publication: ReturnType<typeof aPublication>) =>
  deliveries.createMessage(publication, 'payload', noon, expiresAt);
const at = (afterMs: number): string => new Date(noon + afterMs).toISOString();

it('the store lists the messages of a topic generation, but not their tasks, in chronological order', async () => {
  const generation = randomUUID();
  const ids: string[] = [];
  for (const afterMs of [2, 0, 1, 3]) {
    const publication = aPublication({ messageId: randomUUID(), generation, timestamp: at(afterMs) });
    ids[afterMs] = publication.messageId;
    await create(publication);
    const [task, lease] = [aBatchTask({ messageId: publication.messageId }), aLease()];
    await deliveries.acquire(task, lease);
    await deliveries.record(task, lease, { [randomUUID()]: retried });
  }
  await create(aPublication({ messageId: randomUUID(), timestamp: at(1) }));
  const span = { generation, from: at(0), to: at(2), order: 'newest first' } as const;
  const places = await deliveries.listMessages(span, 2);
  expect(places).toEqual([
    { timestamp: at(2), messageId: ids[2] },
    { timestamp: at(1), messageId: ids[1] },
  ]);
  expect(await deliveries.listMessages(span, 2, places[1])).toEqual([{ timestamp: at(0), messageId: ids[0] }]);
  const forth = await deliveries.listMessages({ ...span, order: 'oldest first' }, 9);
  expect(forth.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 3));
});

it('the store lists as many messages as requested, even if DynamoDB returns short pages', async () => {
  const generation = randomUUID();
  const ids = [0, 1, 2, 3].map(() => randomUUID());
  for (const [afterMs, messageId] of ids.entries())
    await create(aPublication({ messageId, generation, timestamp: at(afterMs) }));
  const shortPages: Interference['call'] = ({ input }, go) => {
    if (input.IndexName === 'byTopic') Object.assign(input, { Limit: 1 });
    return go();
  };
  onTestFinished(interfereWith(dynamodb.client, () => ({ call: shortPages })));
  const span = { generation, from: at(0), to: at(9), order: 'oldest first' } as const;
  const taskIdOf = (places: readonly { messageId: string }[]) => places.map(({ messageId }) => messageId);
  expect(taskIdOf(await deliveries.listMessages(span, 3))).toEqual(ids.slice(0, 3));
  expect(taskIdOf(await deliveries.listMessages(span, 9, { timestamp: at(0), messageId: String(ids[0]) }))).toEqual(
    ids.slice(1),
  );
});

it('the store reads messages without their bodies', async () => {
  const publication = aPublication({ subject: 'death' });
  await create(publication);
  await deliveries.fixShards(publication.messageId, 'payload', 3);
  const { messageId, generation, topicName, timestamp } = publication;
  const logged = { messageId, generation, topicName, timestamp, subject: 'death', shardBits: 3 };
  expect([...(await deliveries.findMessages([messageId, randomUUID()]))]).toEqual([[messageId, logged]]);
});

it('the store finds the outcome for one subscription in a batch', async () => {
  const [messageId, uuid, other] = [randomUUID(), randomUUID(), randomUUID()];
  const [task, lease] = [aBatchTask({ messageId }), aLease()];
  await deliveries.acquire(task, lease);
  await deliveries.record(task, lease, { [uuid]: delivered, [other]: retried });
  const messages = [
    { messageId, shardBits: 0 },
    { messageId: randomUUID(), shardBits: 0 },
    { messageId: randomUUID() },
  ];
  const [known, ...rest] = [...(await deliveries.findDeliveries({ uuid, protocol: 'http' }, messages)).values()];
  expect(known).toEqual({ batchState: 'recorded', batchOutcome: delivered, single: undefined });
  expect(rest).toEqual([{ batchState: undefined, batchOutcome: undefined, single: undefined }]);
  const [failing] = (await deliveries.findDeliveries({ uuid: other, protocol: 'http' }, messages)).values();
  expect(failing).toMatchObject({
    batchOutcome: retried,
    single: { state: 'waiting', outcome: retried, notBefore: retried.notBefore },
  });
});
