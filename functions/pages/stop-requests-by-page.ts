import { stopRequestsByPage } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { readStopRequestsToken } from '../../shared/domain/subscriptions/link-tokens.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { requestsStoppedPage } from '../../shared/presentation/pages/subscription-pages.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

const secret = cacheFor<string>(secretMinutes);

export const handler = servePage(
  stopRequestsByPage,
  [limits, namingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const key = namingKey(await secret(tools.naming.text, tools.now()), 'stop-requests links');
    const id = readStopRequestsToken(token, key);
    if (id === undefined) throw new ClientError('invalidToken', frame.texts.badLink.incomplete);
    await tools.limits.declineRequests(id);
    return ok(requestsStoppedPage(frame));
  },
);
