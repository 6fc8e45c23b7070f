import { confirmSubscription } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { confirmByToken } from '../../shared/delivery/confirmations/confirm-by-token.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

export const handler = serve(confirmSubscription, [subscriptions, topics, limits], async (request, tools) => {
  const { client, seesAll } = viewerOf(request, tools.settings);
  const confirmed = await confirmByToken(request.query.token, tools, seesAll ? undefined : client);
  if (confirmed) return ok(showSubscription(confirmed));
  const isOfAnother = seesAll
    ? ''
    : ", or belongs to another client's subscription, which only that client can confirm";
  const mend = 'subscribe again to receive a new token';
  throw new ClientError('invalidToken', `token is unknown, altered or expired${isOfAnother}; ${mend}`);
});
