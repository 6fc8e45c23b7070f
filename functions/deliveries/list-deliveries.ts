import { listDeliveries } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { listConfirmations, listDeliveriesOf, readDelivery } from '../../shared/delivery/read-deliveries.ts';
import { visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import type { Delivery } from '../../shared/domain/deliveries/delivery.ts';
import { formatCursor, parseCursor } from '../../shared/domain/deliveries/delivery-history.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { nextLink } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

export const handler = serve(listDeliveries, [subscriptions, deliveries], async (request, tools) => {
  const { state, messageId, limit, cursor } = request.query;
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ClientError('invalidParameter', 'cursor must come from a Link header');
  }
  const subscription = await visibleSubscription(request, tools);
  const isInState = (one: Delivery) => (state ?? one.state) === one.state;
  const confirmations = after === undefined ? await listConfirmations(subscription, tools) : [];
  if (messageId !== undefined) {
    const confirmation = confirmations.find((one) => one.messageId === messageId);
    const delivery = confirmation ?? (await readDelivery(subscription, messageId, tools, true, request))?.delivery;
    return ok(delivery !== undefined && isInState(delivery) ? [delivery] : []);
  }
  const first = confirmations.filter(isInState).slice(0, limit);
  const { deliveries, next } = await listDeliveriesOf(
    subscription,
    { state, limit, after, first, reader: request },
    tools,
  );
  if (next === undefined) return ok([...deliveries]);
  return { ...ok([...deliveries]), headers: { link: nextLink({ state, limit, cursor: formatCursor(next) }) } };
});
