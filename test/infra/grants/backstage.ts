import { DeleteItemCommand, DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { AwsCallListener, AwsReply } from '../../../infra/local/aws/emulators/aws-call.ts';
import type { LocalStack } from '../../../infra/local/start.ts';
import { personIndexes, type TableName } from '../../../shared/contract/tables.ts';
import type { workerLanes } from '../../../shared/contract/workers.ts';
import { importRowId } from '../../../shared/domain/imports/import-state.ts';
import { beginRun } from '../../../shared/domain/persons/added-indexes.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../../shared/model/deliveries/task.ts';
import type { StoredTopic } from '../../../shared/model/topics/topic.ts';
import { ledger } from '../../../shared/storage/deliveries/ledger.ts';
import { messageSlice } from '../../../shared/storage/deliveries/rows.ts';
import { type Item, toItem } from '../../../shared/storage/dynamo.ts';
import { journal } from '../../../shared/storage/journal/journal.ts';
import { indexing } from '../../../shared/storage/persons/indexing.ts';
import { goneKey, personRow } from '../../../shared/storage/persons/rows.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { openBucket } from '../../harness/bucket.ts';
import { aNotification, aRequest, aSubscription, aTopic, tokenOf } from '../../harness/builders.ts';
import { eventually } from '../../harness/eventually.ts';
import { sqsEvent } from '../../harness/lambda-events.ts';
import { type Answering, accept, startReceiver } from '../../harness/receiver.ts';
import { uniqueName, type World } from '../../harness/world.ts';

type AwsCall = Parameters<AwsCallListener>[0];
type Lane = (typeof workerLanes)[number]['lane'];

const hourMs = 3_600_000;

/** What scenes are made of: rows that are there already, and functions that are handed what a queue would hand them. */
export function openBackstage(world: World, stack: LocalStack) {
  const { dynamodbEndpoint, resources } = world.outputs;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamodb = new DynamoDBClient({ endpoint: dynamodbEndpoint, region: 'us-east-1', credentials });
  const tableOf = (name: TableName): string => resources.tables[name] ?? '';
  const put = (name: TableName, Item: Item) => dynamodb.send(new PutItemCommand({ TableName: tableOf(name), Item }));
  const remove = (id: string) =>
    dynamodb.send(new DeleteItemCommand({ TableName: tableOf('persons'), Key: toItem({ id }) }));
  const { indexState } = indexing.permissions.change(dynamodb, tableOf('persons'));
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;

  return {
    world,
    call: world.call,
    /** Calls a function that the clock or an operator starts. */
    invoke: stack.invoke,
    /** Hands payloads to a worker. @throws where it gives one back */
    async work(lane: Lane, ...payloads: readonly unknown[]): Promise<void> {
      const answer = (await stack.invoke(lane, sqsEvent(...payloads))) as { batchItemFailures: unknown[] };
      if (answer.batchItemFailures.length > 0) throw new Error(`${lane} gave ${answer.batchItemFailures.length} back`);
    },
    /** A topic as it is stored. */
    async newTopic(): Promise<StoredTopic> {
      const topic = aTopic({ name: uniqueName() });
      await put('topics', toItem(topic));
      return topic;
    },
    /** A subscription as it is stored, active unless said otherwise; one by http has a receiver. */
    async newSubscription(
      topic: StoredTopic,
      { answering = accept, ...given }: Partial<StoredSubscription> & { answering?: Answering } = {},
    ): Promise<StoredSubscription> {
      const hourAgo = Date.now() - 3_600_000;
      const address =
        given.protocol === 'email' ? `${uniqueName('clerk')}@example.org` : (await startReceiver(answering)).url;
      const isActive = given.isActive ?? true;
      const since = { createdAt: hourAgo, ...(isActive && { activeSince: hourAgo, confirmedAt: hourAgo }) };
      const made = aSubscription(topic, { address, ...since, ...given });
      const request = aRequest({
        ...{ countdownSeconds: made.countdownSeconds, maxRetries: made.maxRetries },
        ...{ askedAt: hourAgo, expiresAt: Date.now() + 86_400_000 },
      });
      const asked = isActive ? {} : { requests: { [hashToken(tokenOf(made.uuid))]: request } };
      const subscription = { ...made, ...asked };
      await put('subscriptions', rowOf(subscription));
      return subscription;
    },
    /** A message as it is stored, published so long ago (milliseconds). */
    async published(topic: StoredTopic, agoMs = 1000, more: Parameters<typeof aNotification>[1] = {}) {
      const at = Date.now() - agoMs;
      const notification = aNotification(topic, { timestamp: new Date(at).toISOString(), ...more });
      const publicationId = crypto.randomUUID();
      await ledger.permissions.open(dynamodb, tableOf('deliveries')).open(notification, publicationId, at, expiresAt);
      return { publicationId, notification };
    },
    /** A person whom an older release has written, whom the indexes do not know by the right name. */
    async personWithoutKeys(): Promise<void> {
      const row = personRow(uniqueName(), { lastName: 'King' });
      await put('persons', { ...row, lastNameKey: { S: 'another' } });
    },
    /** Somebody who was removed, or merged with another who is there. */
    async goneInto(kept?: string): Promise<string> {
      const uin = uniqueName();
      if (kept !== undefined) await put('persons', personRow(kept, { lastName: 'King' }));
      await put('persons', { ...goneKey(uin), ...toItem({ expiresAt, mergedInto: kept ?? null }) });
      return uin;
    },
    /**
     * Brings a run that fills the indexes to its last pass, for which nobody waits, once its first has ended: of two that work at it
     * the one who wins asks for the rest, and that may be the queue's.
     */
    async lastPass(id: string): Promise<void> {
      await eventually(async () => expect((await indexState())?.run).toMatchObject({ id, pass: 2 }), 15_000);
      const now = Date.now();
      const run = { ...beginRun(id, personIndexes, now - hourMs), pass: 2, passFrom: now - hourMs / 2 };
      await put('persons', toItem({ id: 'indexes', mark: 'last', whole: [], run }));
    },
    /** Lets the next import begin: one that was broken off for want of a grant keeps its turn until its run comes again. */
    freeTurn: () => remove(importRowId('turn')),
    /** Has nothing known of the indexes, as before the first run that fills them. */
    forgetIndexes: () => remove('indexes'),
    /** Has the hours that were exported exported again. */
    async forgetExports(): Promise<void> {
      const exported = openBucket(world.outputs.s3Endpoint, resources.buckets.exportedJournal ?? '');
      await Promise.all((await exported.keysBelow('')).map(exported.remove));
    },
    /** What the journal can. */
    journal: journal.permissions.writeMany(dynamodb, tableOf('journal')),
    /** What the ledger can be told in advance. */
    ledger: {
      ...ledger.permissions.open(dynamodb, tableOf('deliveries')),
      ...ledger.permissions.fanOut(dynamodb, tableOf('deliveries')),
      ...ledger.permissions.beginRecovery(dynamodb, tableOf('deliveries')),
    },
    expiresAt,
    /** Notes in the ledger that a task of one has failed for good. */
    async failed(task: DeliveryTask): Promise<void> {
      const { openOwn } = ledger.permissions.ask(dynamodb, tableOf('deliveries'));
      await openOwn(task, Date.now(), expiresAt);
      const slice = messageSlice({ messageId: task.content.messageId, slice: 0 });
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: tableOf('deliveries'),
          Key: toItem({ messageSlice: slice, taskKey: task.taskKey }),
          UpdateExpression: 'SET #state = :failed',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: toItem({ ':failed': 'failed' }),
        }),
      );
    },
    /** Has a service answer these calls of a function in its own way while something is done. */
    async answering(
      isMeant: (call: AwsCall) => boolean,
      reply: AwsReply,
      during: () => Promise<unknown>,
    ): Promise<void> {
      const stop = stack.onAwsCall((call) => (isMeant(call) ? reply : undefined));
      await during().finally(stop);
    },
    close: () => dynamodb.destroy(),
  };
}

export type Backstage = ReturnType<typeof openBackstage>;

/** Something that callers, the queues, the clock or operators have functions do; it fails where they may not. */
export type Scene = (backstage: Backstage) => Promise<unknown>;
