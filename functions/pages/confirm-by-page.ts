import { confirmByPage } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { confirmByToken } from '../../shared/delivery/confirmations/confirm-by-token.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { confirmationState } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { subscriptionOfToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { confirmedPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

export const handler = servePage(
  confirmByPage,
  [subscriptions, topics, limits],
  async ({ query: { token } }, tools, { frame }) => {
    const confirmed = await confirmByToken(token, tools);
    if (confirmed !== undefined) return ok(confirmedPage(frame, confirmed));

    // A link with a used token shows the subscription as confirmed, even after the token has expired.
    const uuid = subscriptionOfToken(token);
    const stored = uuid === undefined ? undefined : await tools.subscriptions.get(uuid, tools.now());
    const state = confirmationState(stored, token, tools.now());
    if (stored !== undefined && state === 'confirmed') return ok(confirmedPage(frame, stored));
    throw new ClientError(
      'invalidToken',
      state === 'expired' ? frame.texts.badLink.expired : frame.texts.badLink.confirm,
    );
  },
);
