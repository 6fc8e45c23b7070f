import { listDeliveries } from '../../shared/contract/endpoints/deliveries.ts';
import { seenSubscription } from '../../shared/delivery/asked/seen-subscription.ts';
import { readDelivery, readLog } from '../../shared/delivery/log/read-log.ts';
import { cursorOf, placeOf } from '../../shared/domain/deliveries/log-place.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { nextLink } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(listDeliveries, [subscriptions, ledger], async (request, tools) => {
  const { state, messageId, limit, cursor } = request.query;
  const after = cursor === undefined ? undefined : placeOf(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new Refusal('invalidParameter', 'cursor must be a cursor from a Link header');
  }
  const subscription = await seenSubscription(request, tools);
  if (messageId !== undefined) {
    const { delivery } = (await readDelivery(subscription, messageId, tools, true)) ?? {};
    return ok(delivery !== undefined && (state ?? delivery.state) === delivery.state ? [delivery] : []);
  }
  const { deliveries, next } = await readLog(subscription, { state, limit, after }, tools);
  if (next === undefined) return ok([...deliveries]);
  return { ...ok([...deliveries]), headers: { link: nextLink({ state, limit, cursor: cursorOf(next) }) } };
});
