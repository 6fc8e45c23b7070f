import { unsubscribeByPage } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { readUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/unsubscribe-token.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { unsubscribedPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { type SecretVersions, signingSecret, versionTexts } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';

const secrets = cacheFor<SecretVersions>(secretMinutes);

// RFC 8058 section 3.2: the mail program's POST comes without cookies or referrer, and the token alone decides. What
// stands in its body is not looked at: the page's own button sends an empty one.
export const handler = servePage(
  unsubscribeByPage,
  [subscriptions, signingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const versions = await secrets(tools.signing.versions, tools.now());
    const leaving = readUnsubscribeToken(token, versionTexts(versions).map(unsubscribeKey));
    if (leaving === undefined) throw new Refusal('invalidToken', frame.texts.badLink.unsubscribe);
    return ok(unsubscribedPage(frame, await tools.subscriptions.removeOfGeneration(leaving.uuid, leaving.generation)));
  },
);
