import { confirmByPage } from '../../shared/contract/endpoints/pages.ts';
import { slotsOf } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { confirmationState } from '../../shared/domain/subscriptions/confirmation-state.ts';
import { hashToken, subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { confirmedPage } from '../../shared/pages/subscription-pages.ts';
import { texts } from '../../shared/pages/texts.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = servePage(
  confirmByPage,
  [subscriptions, limits],
  async ({ query: { token } }, { subscriptions, limits, now }) => {
    const uuid = subscriptionOfToken(token);
    if (uuid === undefined) throw new Refusal('invalidToken', texts.badLink.confirm);
    const confirmed = await subscriptions.confirm(uuid, hashToken(token), now());
    if (confirmed !== undefined) {
      await Promise.all(slotsOf(confirmed).map(limits.free));
      return ok(confirmedPage(confirmed));
    }

    // Pressed again after the token's days: it has confirmed, and that is what the page says.
    const stored = await subscriptions.get(uuid, now());
    const state = confirmationState(stored, token, now());
    if (stored !== undefined && state === 'confirmed') return ok(confirmedPage(stored));
    throw new Refusal('invalidToken', state === 'expired' ? texts.badLink.expired : texts.badLink.confirm);
  },
);
