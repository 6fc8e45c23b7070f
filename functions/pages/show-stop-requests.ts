import { showStopRequests } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { readStopRequestsToken } from '../../shared/domain/subscriptions/link-tokens.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { stopRequestsPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

const secret = cacheFor<string>(secretMinutes);

export const handler = servePage(
  showStopRequests,
  [namingSecret],
  async ({ query: { token } }, { naming, now }, { frame }) => {
    const key = namingKey(await secret(naming.text, now()), 'stop-requests links');
    if (readStopRequestsToken(token, key) === undefined)
      throw new ClientError('invalidToken', frame.texts.badLink.incomplete);
    return ok(stopRequestsPage(frame));
  },
);
