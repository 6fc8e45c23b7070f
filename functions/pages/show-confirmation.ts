import { showConfirmation } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { confirmationState, requestOfToken } from '../../shared/domain/subscriptions/confirmation-state.ts';
import { neverAskToken } from '../../shared/domain/subscriptions/never-ask.ts';
import { subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { confirmedPage, confirmPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

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
      const never = stored.protocol === 'email' ? neverAskToken(naming, stored.address) : undefined;
      return ok(confirmPage(frame, stored, request, never));
    }
    if (stored !== undefined && state === 'confirmed') return ok(confirmedPage(frame, stored));
    throw new Refusal('invalidToken', state === 'expired' ? frame.texts.badLink.expired : frame.texts.badLink.confirm);
  },
);
