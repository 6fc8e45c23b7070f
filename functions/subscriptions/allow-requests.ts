import { allowRequests } from '../../shared/contract/jobs.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { declinedId } from '../../shared/domain/subscriptions/link-tokens.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/subscription-address.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

export const handler = perform(allowRequests, [limits, namingSecret], async ({ address }, { limits, naming }) => {
  const key = namingKey(await naming.text(), 'limits');
  const isAllowed = await limits.allowRequests(declinedId(key, normaliseAddress('email', address)));
  return { allowed: Number(isAllowed) };
});
