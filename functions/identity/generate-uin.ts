import { generateUin } from '../../shared/contract/endpoints/identity.ts';
import { mintKeyHash, mintKeyLifetimeSeconds } from '../../shared/domain/mint-key.ts';
import { mintUin } from '../../shared/domain/mint-uin.ts';
import { parseAttributes } from '../../shared/domain/parse-attributes.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { persons } from '../../shared/storage/persons.ts';

const draws = 10;

export const handler = serve(generateUin, [persons], async ({ body, query, headers, caller }, tools) => {
  const { persons, settings, randomBytes, now } = tools;
  if (Object.hasOwn(body, 'uin')) throw new Refusal('invalidAttribute', 'uin is minted here and cannot be given');
  const attributes = parseAttributes(body, settings.extraAttributes);
  const key = headers['idempotency-key'] ?? query.transactionId;
  const seconds = Math.floor(now() / 1000);
  const hash = key === undefined ? undefined : mintKeyHash(caller, key, attributes);
  const record = hash === undefined ? undefined : { hash, expiresAt: seconds + mintKeyLifetimeSeconds };

  for (let draw = 0; draw < draws; draw++) {
    const uin = mintUin(settings.uinLength, randomBytes);
    const minted = record
      ? await persons.putOnce(uin, attributes, record, seconds)
      : await persons.put(uin, attributes);
    if (minted.is === 'minted') return ok(uin);
    if (minted.is === 'replayed') return ok(minted.uin);
  }
  throw new Error(`no free number in ${draws} draws`);
});
