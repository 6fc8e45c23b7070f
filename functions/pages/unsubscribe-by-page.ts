import { unsubscribeByPage } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { readUnsubscribeToken, unsubscribeKey } from '../../shared/domain/subscriptions/link-tokens.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { unsubscribedPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { type SecretVersions, signingSecret, versionTexts } from '../../shared/storage/secrets/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const secrets = cacheFor<SecretVersions>(secretMinutes);

// Mail programs unsubscribe with a POST request without cookies or a referrer (RFC 8058, section 3.2), so only the
// token is checked. The request body is ignored, because the button on our page sends an empty body.
export const handler = servePage(
  unsubscribeByPage,
  [subscriptions, signingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const versions = await secrets(tools.signing.versions, tools.now());
    const leaving = readUnsubscribeToken(token, versionTexts(versions).map(unsubscribeKey));
    if (leaving === undefined) throw new ClientError('invalidToken', frame.texts.badLink.unsubscribe);
    return ok(unsubscribedPage(frame, await tools.subscriptions.removeOfGeneration(leaving.uuid, leaving.generation)));
  },
);
