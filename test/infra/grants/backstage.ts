import { DeleteItemCommand, DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { AwsCallListener, AwsResponse } from '../../../infra/local/aws/emulators/aws-call.ts';
import type { LocalStack } from '../../../infra/local/start.ts';
import { personIndexes, type TableName } from '../../../shared/contract/tables.ts';
import type { workerLanes } from '../../../shared/contract/workers.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { importRowId } from '../../../shared/domain/imports/import-state.ts';
import { startRun } from '../../../shared/domain/persons/added-indexes.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import { messageShard } from '../../../shared/storage/deliveries/rows.ts';
import { deliveries } from '../../../shared/storage/deliveries/store.ts';
import { type Item, toItem } from '../../../shared/storage/dynamo.ts';
import { journal } from '../../../shared/storage/journal/store.ts';
import { indexing } from '../../../shared/storage/persons/indexing.ts';
import { personRow } from '../../../shared/storage/persons/rows.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { awsAccess } from '../../harness/aws-access.ts';
import { openBucket } from '../../harness/bucket.ts';
import { aNotification, aRequest, aSubscription, aTopic, tokenOf } from '../../harness/builders.ts';
import { eventually } from '../../harness/eventually.ts';
import { sqsEvent } from '../../harness/lambda-events.ts';
import { accept, type Respond, startReceiver } from '../../harness/receiver.ts';
import { uniqueName, type World } from '../../harness/world.ts';

type AwsCall = Parameters<AwsCallListener>[0];
type Lane = (typeof workerLanes)[number]['lane'];

const hourMs = 3_600_000;

/** Prepares scenes: stores rows, and invokes functions with messages as a queue would. */
export function openBackstage(world: World, stack: LocalStack) {
  const { dynamodbEndpoint, resources } = world.outputs;
  const dynamodb = new DynamoDBClient({ ...awsAccess, endpoint: dynamodbEndpoint });
  const tableOf = (name: TableName): string => resources.tables[name] ?? '';
  const put = (name: TableName, Item: Item) => dynamodb.send(new PutItemCommand({ TableName: tableOf(name), Item }));
  const remove = (id: string) =>
    dynamodb.send(new DeleteItemCommand({ TableName: tableOf('persons'), Key: toItem({ id }) }));
  const { indexState } = indexing.permissions.change(dynamodb, tableOf('persons'));
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;

  return {
    world,
    call: world.call,
    /** Invokes a scheduled function or an operator's job. */
    invoke: stack.invoke,
    /**
     * Passes payloads to a worker in one batch.
     * @throws if the worker reports a message as failed
     */
    async work(lane: Lane, ...payloads: readonly unknown[]): Promise<void> {
      const answer = (await stack.invoke(lane, sqsEvent(...payloads))) as { batchItemFailures: unknown[] };
      if (answer.batchItemFailures.length > 0)
        throw new Error(`${lane} returned ${answer.batchItemFailures.length} to the queue`);
    },
    /** Stores a topic. */
    async newTopic(): Promise<StoredTopic> {
      const topic = aTopic({ name: uniqueName() });
      await put('topics', toItem(topic));
      return topic;
    },
    /** Stores a subscription. By default, the subscription is active. An HTTP subscription has a real receiver. */
    async newSubscription(
      topic: StoredTopic,
      { answering = accept, ...given }: Partial<StoredSubscription> & { answering?: Respond } = {},
    ): Promise<StoredSubscription> {
      const hourAgo = Date.now() - 3_600_000;
      const address =
        given.protocol === 'email' ? `${uniqueName('clerk')}@example.org` : (await startReceiver(answering)).url;
      const isActive = given.isActive ?? true;
      const since = { createdAt: hourAgo, ...(isActive && { activeSince: hourAgo, confirmedAt: hourAgo }) };
      const made = aSubscription(topic, { address, ...since, ...given });
      const request = aRequest({
        ...{ countdownSeconds: made.countdownSeconds, maxRetries: made.maxRetries },
        ...{ requestedAt: hourAgo, expiresAt: Date.now() + 86_400_000 },
      });
      const asked = isActive ? {} : { requests: { [hashToken(tokenOf(made.uuid))]: request } };
      const subscription = { ...made, ...asked };
      await put('subscriptions', rowOf(subscription));
      return subscription;
    },
    /** Stores a message with a publication time that is the given number of milliseconds ago. */
    async published(topic: StoredTopic, agoMs = 1000, more: Parameters<typeof aNotification>[1] = {}) {
      const at = Date.now() - agoMs;
      const notification = aNotification(topic, { timestamp: new Date(at).toISOString(), ...more });
      const publicationId = crypto.randomUUID();
      await deliveries.permissions
        .publish(dynamodb, tableOf('deliveries'))
        .createMessage(notification, publicationId, at, expiresAt);
      return { publicationId, notification };
    },
    /** Stores a person in the format of an older release, with an incorrect value in an index key. */
    async personWithoutKeys(): Promise<void> {
      const row = personRow(uniqueName(), { lastName: 'King' });
      await put('persons', { ...row, lastNameKey: { S: 'another' } });
    },
    /** Prepares the last pass of a run that fills the indexes. The queue or the scene then starts this pass. */
    async lastPass(id: string): Promise<void> {
      await eventually(async () => expect((await indexState())?.run).toMatchObject({ id, pass: 2 }));
      const now = Date.now();
      const run = { ...startRun(id, personIndexes, now - hourMs), pass: 2, passFrom: now - hourMs / 2 };
      await put('persons', toItem({ id: 'indexes', version: 'last', complete: [], run }));
    },
    /**
     * Lets the next import begin. Otherwise, an import that failed because of a missing grant would block other imports
     * until it ran again.
     */
    freeTurn: () => remove(importRowId('lock')),
    /** Deletes the state of the indexes, so that the registry fills them from the beginning. */
    forgetIndexes: () => remove('indexes'),
    /** Deletes all exports, so that the exports of every hour are due again. */
    async forgetExports(): Promise<void> {
      const exported = openBucket(world.outputs.s3Endpoint, resources.buckets.exportedJournal ?? '');
      await Promise.all((await exported.keysBelow('')).map(exported.remove));
    },
    /** The journal store, with the methods that the scenes need. */
    journal: journal.permissions.writeMany(dynamodb, tableOf('journal')),
    /** The deliveries store, with the methods that the scenes need. */
    deliveries: {
      ...deliveries.permissions.publish(dynamodb, tableOf('deliveries')),
      ...deliveries.permissions.fanOut(dynamodb, tableOf('deliveries')),
      ...deliveries.permissions.startRecovery(dynamodb, tableOf('deliveries')),
      ...deliveries.permissions.visitParking(dynamodb, tableOf('deliveries')),
    },
    expiresAt,
    /** Records that a single delivery has failed permanently. */
    async failed(task: DeliveryTask): Promise<void> {
      const { openSingle } = deliveries.permissions.openSingle(dynamodb, tableOf('deliveries'));
      await openSingle(task, Date.now(), expiresAt);
      const slice = messageShard({ messageId: task.content.messageId, rowShard: 0 });
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: tableOf('deliveries'),
          Key: toItem({ messageShard: slice, taskKey: task.taskKey }),
          UpdateExpression: 'SET #state = :failed',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: toItem({ ':failed': 'failed' }),
        }),
      );
    },
    /** Replaces the AWS responses to the given calls until `during` ends. */
    async answering(
      isMeant: (call: AwsCall) => boolean,
      reply: AwsResponse,
      during: () => Promise<unknown>,
    ): Promise<void> {
      const stop = stack.onAwsCall((call) => (isMeant(call) ? reply : undefined));
      await during().finally(stop);
    },
    close: () => dynamodb.destroy(),
  };
}

export type Backstage = ReturnType<typeof openBackstage>;

/**
 * An action of a caller, a queue, a schedule or an operator that invokes functions. The action fails if a function
 * lacks a grant.
 */
export type Scene = (backstage: Backstage) => Promise<unknown>;
