import { confirmSubscription } from '../../shared/contract/endpoints/subscriptions.ts';
import { confirmByToken } from '../../shared/delivery/confirmations/confirm-by-token.ts';
import { viewerOf } from '../../shared/domain/subscriptions/client-view.ts';
import { showSubscription } from '../../shared/domain/subscriptions/show-subscription.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = serve(confirmSubscription, [subscriptions, limits], async (request, tools) => {
  const { client, seesAll } = viewerOf(request, tools.settings);
  const confirmed = await confirmByToken(request.query.token, tools, seesAll ? undefined : client);
  if (confirmed) return ok(showSubscription(confirmed));
  const isOfAnother = seesAll
    ? ''
    : ", or of a subscription that is another client's: the client that asked confirms that";
  const mend = 'subscribe again to receive a new one';
  throw new Refusal('invalidToken', `token is unknown, altered or expired${isOfAnother}; ${mend}`);
});
