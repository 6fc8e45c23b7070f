import { readSubscription } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { listConfirmations, listDeliveriesOf } from '../../shared/delivery/read-deliveries.ts';
import { visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { isConfirmed } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { showStatus } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

// Two rounds of reads are usually enough, because the last delivery is among the latest messages.
const lastDelivery = { state: 'delivered', limit: 1, mostRounds: 2 } as const;

export const handler = serve(readSubscription, [subscriptions, deliveries], async (request, tools) => {
  const { uuid } = request.path;
  const now = tools.now();
  const stored = await visibleSubscription(request, tools);
  const { deliveryFormat } = tools.settings;
  // An unconfirmed subscription must not reveal another client's deliveries to the same address.
  if (!isConfirmed(stored)) {
    const deliveries = { waiting: 0, lastFailure: undefined, confirmations: await listConfirmations(stored, tools) };
    return ok(showStatus(stored, deliveries, now, deliveryFormat));
  }
  const [confirmations, deliveries, delivered] = await Promise.all([
    listConfirmations(stored, tools),
    tools.deliveries.statusOf(uuid),
    listDeliveriesOf(stored, lastDelivery, tools),
  ]);
  const lastDelivered = delivered.deliveries[0]?.attempts.at(-1);
  return ok(showStatus(stored, { ...deliveries, lastDelivered, confirmations }, now, deliveryFormat));
});
