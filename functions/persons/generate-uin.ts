import { generateUin } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { idempotencyHash, idempotencyKeySeconds } from '../../shared/domain/persons/idempotency-key.ts';
import { type Minted, mintUin } from '../../shared/domain/persons/mint-uin.ts';
import { parseAttributes } from '../../shared/domain/persons/parse-attributes.ts';
import { isoTime } from '../../shared/domain/time.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { persons } from '../../shared/storage/persons/store.ts';

export const handler = serve(generateUin, [persons], async ({ body, query, headers, caller, client }, tools) => {
  const { persons, settings, randomBytes, now } = tools;
  const attributes = parseAttributes(body, settings.extraAttributes);
  if (Object.hasOwn(attributes, 'uin'))
    throw new ClientError('invalidAttribute', 'uin is minted by the registry and cannot be given');
  // Without a caller, `transactionId` is ignored instead of rejected, because many clients always send it.
  const key = headers['idempotency-key'] ?? (caller === '' ? undefined : query.transactionId);
  const seconds = Math.floor(now() / 1000);
  const hash = key === undefined ? undefined : idempotencyHash(caller, key, attributes);
  const record = hash === undefined ? undefined : { hash, expiresAt: seconds + idempotencyKeySeconds };
  const by = { registeredBy: client, registeredAt: isoTime(now()) };
  async function put(uin: string): Promise<Minted> {
    const minted = await persons.put(uin, attributes, { now: seconds, record, by });
    if (minted.is === 'minted') addMetric('UinsMinted');
    return minted;
  }
  return ok(await mintUin(settings.uinLength, randomBytes, put));
});
