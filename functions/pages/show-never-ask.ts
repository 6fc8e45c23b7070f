import { showNeverAsk } from '../../shared/contract/endpoints/pages.ts';
import { secretMinutes } from '../../shared/contract/secrets.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { readNeverAskToken } from '../../shared/domain/subscriptions/never-ask.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { neverAskPage } from '../../shared/pages/never-ask-pages.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

const secret = cacheFor<string>(secretMinutes);

export const handler = servePage(
  showNeverAsk,
  [namingSecret],
  async ({ query: { token } }, { naming, now }, { frame }) => {
    const key = namingKey(await secret(naming.text, now()), 'never-ask links');
    if (readNeverAskToken(token, key) === undefined) throw new Refusal('invalidToken', frame.texts.badLink.incomplete);
    return ok(neverAskPage(frame));
  },
);
