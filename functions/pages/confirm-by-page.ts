import { confirmByPage } from '../../shared/contract/endpoints/pages.ts';
import { confirmByToken } from '../../shared/delivery/confirmations/confirm-by-token.ts';
import { confirmationState } from '../../shared/domain/subscriptions/confirmation-state.ts';
import { subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { confirmedPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

export const handler = servePage(
  confirmByPage,
  [subscriptions, limits],
  async ({ query: { token } }, tools, { frame }) => {
    const confirmed = await confirmByToken(token, tools);
    if (confirmed !== undefined) return ok(confirmedPage(frame, confirmed));

    // Pressed again after the token's days: it has confirmed, and that is what the page says.
    const uuid = subscriptionOfToken(token);
    const stored = uuid === undefined ? undefined : await tools.subscriptions.get(uuid, tools.now());
    const state = confirmationState(stored, token, tools.now());
    if (stored !== undefined && state === 'confirmed') return ok(confirmedPage(frame, stored));
    throw new Refusal('invalidToken', state === 'expired' ? frame.texts.badLink.expired : frame.texts.badLink.confirm);
  },
);
