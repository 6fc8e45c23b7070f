import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { releaseLimits, requestConfirmation } from '../../shared/delivery/confirmations/request-confirmation.ts';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { channelOf, laneOf } from '../../shared/domain/deliveries/channels.ts';
import { keyedHash } from '../../shared/domain/name-uuid.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { rejectUnnamedClient, rejectUnusedFormat, viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { subscriptionUuid } from '../../shared/domain/subscriptions/pending-subscription.ts';
import { defaultPolicy } from '../../shared/domain/subscriptions/policy.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { statusTopicOf } from '../../shared/domain/subscriptions/status-event.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/subscription-address.ts';
import { type StoredTopic, statusTopicName, statusTopicUuid, uuidOfTopic } from '../../shared/domain/topics/topic.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { writeEither } from '../../shared/lambda/write-either.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

const stores = [topics, subscriptions, limits, deliveries, queues, namingSecret] as const;

const deriveKeys = (naming: string) => ({
  idsKey: namingKey(naming, 'subscription ids'),
  limitsKey: namingKey(naming, 'limits'),
});
const keys = cacheFor<ReturnType<typeof deriveKeys>>(secretMinutes);

interface TopicTools {
  readonly topics: { ensure(topic: StoredTopic): Promise<StoredTopic> };
  readonly newId: () => string;
}

/**
 * Creates the status topic if it does not exist, so that clients can list it. Returns the topic as one client sees it.
 */
async function statusTopicFor(client: string | undefined, { topics, newId }: TopicTools): Promise<StoredTopic> {
  await topics.ensure({ uuid: statusTopicUuid, name: statusTopicName, generation: newId() });
  return statusTopicOf(client);
}

export const handler = serve(subscribe, stores, async ({ query, client, isAdmin }, tools) => {
  const { protocol, policy = defaultPolicy, subject: subjects = [], deliveryFormat = null } = query;
  rejectUnnamedClient(viewerOf({ client, isAdmin }, tools.settings));
  rejectUnusedFormat(protocol, deliveryFormat);
  const address = normaliseAddress(protocol, query.address);
  const target = channelOf(protocol).connectsTo?.(address);
  const topicUuid = uuidOfTopic(query.topic);
  const isStatus = topicUuid === statusTopicUuid;
  if (isStatus) rejectUnnamedClient({ client, seesAll: isAdmin });
  const [topic, isBlocked, { idsKey, limitsKey }] = await Promise.all([
    isStatus ? statusTopicFor(isAdmin ? undefined : client, tools) : tools.topics.get(topicUuid),
    target !== undefined && addressGuard(tools.settings).isBlocked(target),
    keys(async () => deriveKeys(await tools.naming.text()), tools.now()),
  ]);
  if (isBlocked)
    throw new ClientError(
      'invalidParameter',
      'address must resolve to public IP addresses only: private, local and reserved addresses are rejected',
    );
  if (topic === undefined)
    throw new ClientError(
      'unknownTopicName',
      'no topic has this name or uuid; GET /v1/topics lists all topics, and POST /v1/topics?name= creates one',
    );

  const place = isStatus ? topic.generation : topic.uuid;
  const uuid = subscriptionUuid(idsKey, place, protocol, address);
  const wanted = { uuid, topic, protocol, address, policy, subjects, deliveryFormat, client, isAdmin };
  const { subscription, asking } = await requestConfirmation(wanted, { ...tools, limitsKey });
  if (asking !== undefined) {
    const { task, opened, tokenHash, taken } = asking;
    // Messages are grouped by client, so that a client with many requests does not delay other clients' requests.
    const queue = tools.queues[laneOf(protocol, 'confirmations')].send({
      payload: task,
      group: keyedHash(limitsKey, client),
    });
    const ids = { messageId: task.content.messageId, taskKey: task.taskKey };
    await writeEither({ queue, deliveries: opened }, ids, subscribe.operation).catch(async (fault: unknown) => {
      await releaseLimits(taken, tools).catch(() => {});
      throw fault;
    });
    const isQueued = await queue.then(
      () => true,
      () => false,
    );
    if (isQueued) await tools.subscriptions.markRequestSent(uuid, tokenHash);
  }
  return ok(showSubscription(subscription));
});
