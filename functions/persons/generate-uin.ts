import { generateUin } from '../../shared/contract/endpoints/persons.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { claimUin, type Minted } from '../../shared/domain/persons/claim-uin.ts';
import { mintKeyHash, mintKeyLifetimeSeconds } from '../../shared/domain/persons/mint-key.ts';
import { parseAttributes } from '../../shared/domain/persons/parse-attributes.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(generateUin, [persons], async ({ body, query, headers, caller, client }, tools) => {
  const { persons, settings, randomBytes, now } = tools;
  const attributes = parseAttributes(body, settings.extraAttributes);
  if (Object.hasOwn(attributes, 'uin')) throw new Refusal('invalidAttribute', 'uin is minted here and cannot be given');
  // A transaction is only ignored of a caller whom nothing tells from others: many clients always send one.
  const key = headers['idempotency-key'] ?? (caller === '' ? undefined : query.transactionId);
  const seconds = Math.floor(now() / 1000);
  const hash = key === undefined ? undefined : mintKeyHash(caller, key, attributes);
  const record = hash === undefined ? undefined : { hash, expiresAt: seconds + mintKeyLifetimeSeconds };
  const by = { registeredBy: client, registeredAt: isoTime(now()) };
  async function put(uin: string): Promise<Minted> {
    const minted = await persons.put(uin, attributes, { now: seconds, record, by });
    if (minted.is === 'minted') addMetric('UinsMinted');
    return minted;
  }
  return ok(await claimUin(settings.uinLength, randomBytes, put));
});
