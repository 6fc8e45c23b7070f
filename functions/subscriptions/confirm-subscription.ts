import { confirmSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { hashToken, subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(confirmSubscription, [subscriptions], async ({ query }, { subscriptions, now }) => {
  const uuid = subscriptionOfToken(query.token);
  const confirmed = uuid && (await subscriptions.confirm(uuid, hashToken(query.token), now()));
  if (confirmed) return ok(showSubscription(confirmed));
  throw new Refusal('invalidToken', 'token is unknown, altered or expired; subscribe again to receive a new one');
});
