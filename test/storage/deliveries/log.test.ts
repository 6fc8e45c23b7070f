import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { ledger as ledgerStore } from '../../../shared/storage/deliveries/ledger.ts';
import { noon } from '../../harness/builders.ts';
import { aLease, aPublication, delivered, expiresAt, retried } from '../../harness/deliveries.ts';
import { useDynamodb } from '../../harness/embedded.ts';
import { type Interference, letBetween } from '../../harness/interference.ts';

const dynamodb = useDynamodb();
const { permissions } = ledgerStore;
const openLedger = (table: string) => ({
  ...permissions.open(dynamodb.client, table),
  ...permissions.fanOut(dynamodb.client, table),
  ...permissions.deliver(dynamodb.client, table),
  ...permissions.log(dynamodb.client, table),
});

let ledger: ReturnType<typeof openLedger>;
beforeEach(async () => {
  ledger = openLedger(await dynamodb.createTable('deliveries'));
});

const at = (afterMs: number): string => new Date(noon + afterMs).toISOString();

it('has the messages of a generation of a topic by time, and none of its tasks', async () => {
  const generation = randomUUID();
  const ids: string[] = [];
  for (const afterMs of [2, 0, 1, 3]) {
    const publication = aPublication({ messageId: randomUUID(), generation, timestamp: at(afterMs) });
    ids[afterMs] = publication.messageId;
    await ledger.open(publication, 'payload', noon, expiresAt);
    const task = {
      messageId: publication.messageId,
      taskKey: '00#000000#http',
      attempt: 0,
      protocol: 'http',
      slice: 0,
    } as const;
    const lease = aLease();
    await ledger.claim(task, lease);
    await ledger.record(task, lease, { [randomUUID()]: retried });
  }
  await ledger.open(aPublication({ messageId: randomUUID(), timestamp: at(1) }), 'payload', noon, expiresAt);
  const span = { generation, from: at(0), to: at(2), order: 'newest first' } as const;
  const places = await ledger.published(span, 2);
  expect(places).toEqual([
    { timestamp: at(2), messageId: ids[2] },
    { timestamp: at(1), messageId: ids[1] },
  ]);
  expect(await ledger.published(span, 2, places[1])).toEqual([{ timestamp: at(0), messageId: ids[0] }]);
  const forth = await ledger.published({ ...span, order: 'oldest first' }, 9);
  expect(forth.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 3));
});

it('has as many messages as are asked for, and all that there are, however short the pages of DynamoDB', async () => {
  const generation = randomUUID();
  const ids = [0, 1, 2, 3].map(() => randomUUID());
  for (const [afterMs, messageId] of ids.entries()) {
    await ledger.open(aPublication({ messageId, generation, timestamp: at(afterMs) }), 'payload', noon, expiresAt);
  }
  const shortPages: Interference['call'] = ({ input }, go) => {
    if (input.IndexName === 'byTopic') Object.assign(input, { Limit: 1 });
    return go();
  };
  onTestFinished(letBetween(dynamodb.client, () => ({ call: shortPages })));
  const span = { generation, from: at(0), to: at(9), order: 'oldest first' } as const;
  const idsOf = (places: readonly { messageId: string }[]) => places.map(({ messageId }) => messageId);
  expect(idsOf(await ledger.published(span, 3))).toEqual(ids.slice(0, 3));
  expect(idsOf(await ledger.published(span, 9, { timestamp: at(0), messageId: String(ids[0]) }))).toEqual(ids.slice(1));
});

it('reads messages without their bodies', async () => {
  const publication = aPublication({ subject: 'death' });
  await ledger.open(publication, 'payload', noon, expiresAt);
  await ledger.partition(publication.messageId, 'payload', 3);
  const { messageId, generation, topicName, timestamp } = publication;
  const logged = { messageId, generation, topicName, timestamp, subject: 'death', bits: 3 };
  expect([...(await ledger.messages([messageId, randomUUID()]))]).toEqual([[messageId, logged]]);
});

it('reads of a task for several one outcome alone', async () => {
  const [messageId, uuid, other] = [randomUUID(), randomUUID(), randomUUID()];
  const task = { messageId, taskKey: '00#000000#http', attempt: 0, protocol: 'http', slice: 0 } as const;
  const lease = aLease();
  await ledger.claim(task, lease);
  await ledger.record(task, lease, { [uuid]: delivered, [other]: retried });
  const messages = [{ messageId, bits: 0 }, { messageId: randomUUID(), bits: 0 }, { messageId: randomUUID() }];
  const [known, ...rest] = [...(await ledger.known({ uuid, protocol: 'http' }, messages)).values()];
  expect(known).toEqual({ bucket: 'recorded', shared: delivered, own: undefined });
  expect(rest).toEqual([{ bucket: undefined, shared: undefined, own: undefined }]);
  const [failing] = (await ledger.known({ uuid: other, protocol: 'http' }, messages)).values();
  expect(failing).toMatchObject({
    shared: retried,
    own: { state: 'waiting', outcome: retried, notBefore: retried.notBefore },
  });
});
