import { allowAsking } from '../../shared/contract/jobs.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { declinedId } from '../../shared/domain/subscriptions/never-ask.ts';
import { normaliseAddress } from '../../shared/domain/subscriptions/normalise-address.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { limits } from '../../shared/storage/limits/limits.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

/** Takes back, for the owner of a mailbox, that it is never asked again. */
export const handler = perform(allowAsking, [limits, namingSecret], async ({ address }, { limits, naming }) => {
  const key = namingKey(await naming.text(), 'limits');
  const isAllowed = await limits.allow(declinedId(key, normaliseAddress('email', address)));
  return { allowed: Number(isAllowed) };
});
