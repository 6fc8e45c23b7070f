import { showUnsubscribe } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { readUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/link-tokens.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { unsubscribedPage, unsubscribePage } from '../../shared/presentation/pages/subscription-pages.ts';
import { type SecretVersions, signingSecret, versionTexts } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const secrets = cacheFor<SecretVersions>(secretMinutes);

export const handler = servePage(
  showUnsubscribe,
  [subscriptions, signingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const versions = await secrets(tools.signing.versions, tools.now());
    const leaving = readUnsubscribeToken(token, versionTexts(versions).map(unsubscribeKey));
    if (leaving === undefined) throw new ClientError('invalidToken', frame.texts.badLink.unsubscribe);
    const stored = await tools.subscriptions.get(leaving.uuid, tools.now());
    return ok(
      stored?.generation === leaving.generation ? unsubscribePage(frame, stored) : unsubscribedPage(frame, undefined),
    );
  },
);
