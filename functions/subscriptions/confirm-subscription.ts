import { confirmSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { confirmByToken } from '../../shared/delivery/confirmations/confirm-by-token.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(confirmSubscription, [subscriptions, limits], async ({ query }, tools) => {
  const confirmed = await confirmByToken(query.token, tools);
  if (confirmed) return ok(showSubscription(confirmed));
  throw new Refusal('invalidToken', 'token is unknown, altered or expired; subscribe again to receive a new one');
});
