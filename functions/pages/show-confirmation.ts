import { showConfirmation } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { confirmationState, requestOfToken } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { stopRequestsToken } from '../../shared/domain/subscriptions/link-tokens.ts';
import { subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { confirmedPage, confirmPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const secret = cacheFor<string>(secretMinutes);

export const handler = servePage(
  showConfirmation,
  [subscriptions, namingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const uuid = subscriptionOfToken(token);
    const stored = uuid === undefined ? undefined : await tools.subscriptions.get(uuid, tools.now());
    const state = confirmationState(stored, token, tools.now());
    const request = stored && requestOfToken(stored, token);
    if (stored !== undefined && request !== undefined && state === 'open') {
      const naming = await secret(tools.naming.text, tools.now());
      const never = stored.protocol === 'email' ? stopRequestsToken(naming, stored.address) : undefined;
      return ok(confirmPage(frame, stored, request, never));
    }
    if (stored !== undefined && state === 'confirmed') return ok(confirmedPage(frame, stored));
    throw new ClientError(
      'invalidToken',
      state === 'expired' ? frame.texts.badLink.expired : frame.texts.badLink.confirm,
    );
  },
);
