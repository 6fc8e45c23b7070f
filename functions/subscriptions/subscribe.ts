import { subscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { channelOf, laneOf } from '../../shared/domain/deliveries/channels.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { confirmationTask } from '../../shared/domain/subscriptions/confirmation-task.ts';
import { mustAskAgain } from '../../shared/domain/subscriptions/must-ask-again.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/normalise-address.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { composeToken, hashToken, tokenLifetimeMs } from '../../shared/domain/subscriptions/subscription-token.ts';
import { subscriptionUuid } from '../../shared/domain/subscriptions/subscription-uuid.ts';
import { uuidOfTopic } from '../../shared/domain/topics/topic-uuid.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { keepEither } from '../../shared/lambda/keep-either.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { defaultPolicy } from '../../shared/model/subscriptions/policy.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { namingSecret } from '../../shared/storage/secrets/secrets.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

const stores = [topics, subscriptions, ledger, queues, namingSecret] as const;
const secret = cacheFor<string>(secretMinutes);

export const handler = serve(subscribe, stores, async ({ query }, tools) => {
  const { topics, subscriptions, ledger, now, newId, randomBytes } = tools;
  const address = normaliseAddress(query.protocol, query.address);
  const target = channelOf(query.protocol).connectsTo?.(address);
  const [topic, isBlocked, naming] = await Promise.all([
    topics.get(uuidOfTopic(query.topic)),
    target !== undefined && addressGuard(tools.settings).isBlocked(target),
    secret(tools.naming.text, now()),
  ]);
  if (isBlocked)
    throw new Refusal('invalidParameter', 'address must be on the public Internet, with all its addresses');
  if (topic === undefined) throw new Refusal('unknownTopicName', 'topic must be the name or uuid of a topic');

  const uuid = subscriptionUuid(namingKey(naming, 'subscription ids'), topic.uuid, query.protocol, address);
  const token = composeToken(uuid, randomBytes(32));
  const [tokenHash, tokenExpiresAt] = [hashToken(token), now() + tokenLifetimeMs];
  const wanted = {
    uuid,
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    protocol: query.protocol,
    address,
    ...(query.policy ?? defaultPolicy),
    isActive: false,
    tokenHash,
    tokenExpiresAt,
    hasConfirmationFailed: false,
    createdAt: now(),
  };
  const stored = await subscriptions.ensure(wanted);
  const isNew = stored === undefined;
  const isRenewed =
    !isNew && mustAskAgain(stored, now()) && (await subscriptions.renewToken(stored, tokenHash, tokenExpiresAt));
  if (isNew || isRenewed) {
    const task = confirmationTask(wanted, token, newId(), now());
    const writes = {
      queue: tools.queues[laneOf(query.protocol, 'confirmations')].send({ payload: task, group: uuid }),
      ledger: ledger.openOwn(task, now(), Math.floor(tokenExpiresAt / 1000)),
    };
    const ids = { messageId: task.content.messageId, taskKey: task.taskKey };
    await keepEither(writes, ids, subscribe.operation);
  }
  return ok(showSubscription(stored ?? wanted));
});
