import { subscribe } from '../../shared/contract/endpoints/subscriptions.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { enrol, withdraw } from '../../shared/delivery/confirmations/request-confirmation.ts';
import { addressGuard } from '../../shared/delivery/http/address-guard.ts';
import { channelOf, laneOf } from '../../shared/domain/deliveries/channels.ts';
import { keyedHash } from '../../shared/domain/name-uuid.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/normalise-address.ts';
import { defaultPolicy } from '../../shared/domain/subscriptions/policy.ts';
import { refuseNameless } from '../../shared/domain/subscriptions/refuse-nameless.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { subscriptionUuid } from '../../shared/domain/subscriptions/subscription-uuid.ts';
import { uuidOfTopic } from '../../shared/domain/topics/topic-uuid.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { keepEither } from '../../shared/lambda/keep-either.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

const stores = [topics, subscriptions, limits, ledger, queues, namingSecret] as const;
const secret = cacheFor<string>(secretMinutes);

export const handler = serve(subscribe, stores, async ({ query, client, isAdmin }, tools) => {
  const { protocol, policy = defaultPolicy, subject: subjects = [] } = query;
  refuseNameless(viewerOf({ client, isAdmin }, tools.settings));
  const address = normaliseAddress(protocol, query.address);
  const target = channelOf(protocol).connectsTo?.(address);
  const [topic, isBlocked, naming] = await Promise.all([
    tools.topics.get(uuidOfTopic(query.topic)),
    target !== undefined && addressGuard(tools.settings).isBlocked(target),
    secret(tools.naming.text, tools.now()),
  ]);
  if (isBlocked)
    throw new Refusal(
      'invalidParameter',
      'address must be on the public Internet, with all the addresses of its name: private, local and reserved ones are refused',
    );
  if (topic === undefined)
    throw new Refusal(
      'unknownTopicName',
      'no topic has this name or uuid; GET /v1/topics lists them, POST /v1/topics?name= creates one',
    );

  const uuid = subscriptionUuid(namingKey(naming, 'subscription ids'), topic.uuid, protocol, address);
  const limitsKey = namingKey(naming, 'limits');
  const wanted = { uuid, topic, protocol, address, policy, subjects, client, isAdmin };
  const { subscription, asking } = await enrol(wanted, { ...tools, limitsKey });
  if (asking !== undefined) {
    const { task, expiresAt, tokenHash, taken } = asking;
    const writes = {
      // One client's flood holds up no other's requests.
      queue: tools.queues[laneOf(protocol, 'confirmations')].send({
        payload: task,
        group: keyedHash(limitsKey, client),
      }),
      ledger: tools.ledger.openOwn(task, tools.now(), Math.floor(expiresAt / 1000)),
    };
    const ids = { messageId: task.content.messageId, taskKey: task.taskKey };
    await keepEither(writes, ids, subscribe.operation).catch(async (fault: unknown) => {
      await withdraw({ uuid, tokenHash, taken }, tools);
      throw fault;
    });
  }
  return ok(showSubscription(subscription));
});
