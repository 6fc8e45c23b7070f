import { confirmSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { slotsOf } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { hashToken, subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(confirmSubscription, [subscriptions, limits], async ({ query }, tools) => {
  const uuid = subscriptionOfToken(query.token);
  const confirmed = uuid && (await tools.subscriptions.confirm(uuid, hashToken(query.token), tools.now()));
  if (confirmed) {
    await Promise.all(slotsOf(confirmed).map(tools.limits.free));
    return ok(showSubscription(confirmed));
  }
  throw new Refusal('invalidToken', 'token is unknown, altered or expired; subscribe again to receive a new one');
});
