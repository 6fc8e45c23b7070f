import { publishKeys } from '../../shared/contract/endpoints/access.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { keyring } from '../../shared/delivery/signing/keyring.ts';
import { logFault } from '../../shared/lambda/logger.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import type { Fault } from '../../shared/model/faults.ts';
import { signingSecret } from '../../shared/storage/secrets/store.ts';

// Kept between invocations: the secret is read again after some minutes.
let keys: ReturnType<typeof keyring> | undefined;

const onFault = (fault: Fault) => logFault(faultLogged, fault, { operation: publishKeys.operation });

// Shorter than a rotation overlaps, so that nobody is left with keys that sign no more.
const cached = { 'cache-control': 'public, max-age=3600' } as const;

export const handler = serve(publishKeys, [signingSecret], async (_request, { signing, settings, now }) => {
  keys ??= keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now, onFault });
  const valid = await keys();
  return { ...ok({ keys: valid.map(({ publicKey }) => publicKey) }), headers: cached };
});
