import { subscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { channelOf, laneOf } from '../../shared/domain/deliveries/channels.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { mustAsk, newRequest } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../shared/domain/subscriptions/confirmation-task.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/normalise-address.ts';
import { pendingSubscription } from '../../shared/domain/subscriptions/pending-subscription.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { composeToken, hashToken } from '../../shared/domain/subscriptions/subscription-token.ts';
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

export const handler = serve(subscribe, stores, async ({ query, caller }, tools) => {
  const { protocol, policy = defaultPolicy } = query;
  const { topics, subscriptions, ledger, now, newId, randomBytes } = tools;
  const address = normaliseAddress(protocol, query.address);
  const target = channelOf(protocol).connectsTo?.(address);
  const [topic, isBlocked, naming] = await Promise.all([
    topics.get(uuidOfTopic(query.topic)),
    target !== undefined && addressGuard(tools.settings).isBlocked(target),
    secret(tools.naming.text, now()),
  ]);
  if (isBlocked)
    throw new Refusal('invalidParameter', 'address must be on the public Internet, with all its addresses');
  if (topic === undefined) throw new Refusal('unknownTopicName', 'topic must be the name or uuid of a topic');

  const uuid = subscriptionUuid(namingKey(naming, 'subscription ids'), topic.uuid, protocol, address);
  const asking = { ...policy, caller };
  for (;;) {
    const stored = await subscriptions.get(uuid, now());
    const present = stored?.generation === topic.generation ? stored : undefined;
    if (present?.isActive) return ok(showSubscription(present));
    if (present && !mustAsk(present, asking, now())) return ok(showSubscription({ ...present, ...policy }));

    const token = composeToken(uuid, randomBytes(32));
    const request = newRequest(asking, newId(), now());
    const wanted = present ?? pendingSubscription({ uuid, topic, protocol, address }, hashToken(token), request);
    const isWritten = present
      ? await subscriptions.addRequest(present, hashToken(token), request)
      : (await subscriptions.ensure(wanted)) === undefined;
    // Somebody else has asked at this moment: what is there now decides.
    if (!isWritten) continue;
    const task = confirmationTask(wanted, token, request);
    const writes = {
      queue: tools.queues[laneOf(protocol, 'confirmations')].send({ payload: task, group: uuid }),
      ledger: ledger.openOwn(task, now(), Math.floor(request.expiresAt / 1000)),
    };
    const ids = { messageId: request.messageId, taskKey: task.taskKey };
    await keepEither(writes, ids, subscribe.operation);
    return ok(showSubscription({ ...wanted, ...policy }));
  }
});
