import { redeliverMessage } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { readDelivery } from '../../shared/delivery/read-deliveries.ts';
import { redeliverOne } from '../../shared/delivery/recovery/redeliver-one.ts';
import { countRequest, visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { rejectInactive } from '../../shared/domain/subscriptions/client-view.ts';
import { wantsEvent } from '../../shared/domain/subscriptions/wants-event.ts';
import { isoTime } from '../../shared/domain/time.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, limits, queues] as const;

export const handler = serve(redeliverMessage, stores, async (request, tools) => {
  const { messageId } = request.path;
  const subscription = await visibleSubscription(request, tools);
  rejectInactive(subscription);
  const told = await readDelivery(subscription, messageId, tools);
  const message = told && (await tools.deliveries.getMessage(messageId));
  if (told === undefined || message === undefined) {
    throw new ClientError(
      'unknownMessage',
      'no message of this subscription has this id; GET /v1/subscriptions/{uuid}/deliveries lists its messages',
    );
  }
  if (!wantsEvent(subscription, message)) {
    throw new ClientError(
      'unknownMessage',
      "the subscription's filter excludes this message: change its subjects first",
    );
  }
  await countRequest('redeliver', subscription, tools);
  const { delivery, record: known } = told;
  const done = await redeliverOne(message, subscription, known, tools, true);
  if (done === 'unready' && delivery.state === 'missed') {
    throw new ClientError('beingSentOut', 'the message is currently being sent: try again in a minute', 60);
  }
  if (done !== 'sent') return accepted({ ...delivery, state: 'waiting' });
  return accepted({ ...delivery, state: 'waiting', nextAttemptAt: isoTime(tools.now()) });
});
