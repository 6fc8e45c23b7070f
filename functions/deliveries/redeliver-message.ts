import { redeliverMessage } from '../../shared/contract/endpoints/deliveries.ts';
import { countAsked } from '../../shared/delivery/asked/count-asked.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { readDelivery } from '../../shared/delivery/log/read-log.ts';
import { deliverAgain } from '../../shared/delivery/redelivery/deliver-again.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { refuseInactive } from '../../shared/domain/subscriptions/refuse-inactive.ts';
import { wantsEvent } from '../../shared/domain/subscriptions/wants-event.ts';
import { accepted } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const stores = [subscriptions, ledger, limits, queues] as const;

export const handler = serve(redeliverMessage, stores, async (request, tools) => {
  const { messageId } = request.path;
  const subscription = await seenSubscription(request, tools);
  refuseInactive(subscription);
  const told = await readDelivery(subscription, messageId, tools);
  const message = told && (await tools.ledger.message(messageId));
  if (told === undefined || message === undefined) {
    throw new Refusal('unknownMessage', 'no message of this subscription has this id; GET its deliveries lists them');
  }
  if (!wantsEvent(subscription, message)) {
    throw new Refusal(
      'unknownMessage',
      'the filter of the subscription keeps this message out: change its subjects first',
    );
  }
  await countAsked('redeliver', subscription, tools);
  const { delivery, known } = told;
  const done = await deliverAgain(message, subscription, known, tools, true);
  if (done === 'unready' && delivery.state === 'missed') {
    throw new Refusal('beingSentOut', 'the message is being sent out at this moment: ask again in a minute', 60);
  }
  if (done !== 'sent') return accepted({ ...delivery, state: 'waiting' });
  return accepted({ ...delivery, state: 'waiting', nextAttemptAt: isoTime(tools.now()) });
});
