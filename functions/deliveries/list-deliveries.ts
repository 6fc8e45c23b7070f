import { listDeliveries } from '../../shared/contract/endpoints/deliveries-endpoints.ts';
import { listDeliveriesOf, readDelivery } from '../../shared/delivery/read-deliveries.ts';
import { visibleSubscription } from '../../shared/delivery/subscription-requests.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
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
  if (messageId !== undefined) {
    const { delivery } = (await readDelivery(subscription, messageId, tools, true)) ?? {};
    return ok(delivery !== undefined && (state ?? delivery.state) === delivery.state ? [delivery] : []);
  }
  const { deliveries, next } = await listDeliveriesOf(subscription, { state, limit, after }, tools);
  if (next === undefined) return ok([...deliveries]);
  return { ...ok([...deliveries]), headers: { link: nextLink({ state, limit, cursor: formatCursor(next) }) } };
});
