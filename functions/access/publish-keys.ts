import { publishKeys } from '../../shared/contract/endpoints/access.ts';
import { keyring } from '../../shared/delivery/signing/keyring.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { signingSecret } from '../../shared/storage/secrets/secrets.ts';

// Kept between invocations: the secret is read again after some minutes.
let keys: ReturnType<typeof keyring> | undefined;

// Shorter than a rotation overlaps, so that nobody is left with keys that sign no more.
const cached = { 'cache-control': 'public, max-age=3600' } as const;

export const handler = serve(publishKeys, [signingSecret], async (_request, { signing, settings, now }) => {
  keys ??= keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now });
  const valid = await keys();
  return { ...ok({ keys: valid.map(({ publicKey }) => publicKey) }), headers: cached };
});
