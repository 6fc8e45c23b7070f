import { neverAskByPage } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { readNeverAskToken } from '../../shared/domain/subscriptions/never-ask.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { neverAskedPage } from '../../shared/pages/never-ask-pages.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

const secret = cacheFor<string>(secretMinutes);

export const handler = servePage(
  neverAskByPage,
  [limits, namingSecret],
  async ({ query: { token } }, tools, { frame }) => {
    const key = namingKey(await secret(tools.naming.text, tools.now()), 'never-ask links');
    const id = readNeverAskToken(token, key);
    if (id === undefined) throw new Refusal('invalidToken', frame.texts.badLink.incomplete);
    await tools.limits.decline(id);
    return ok(neverAskedPage(frame));
  },
);
