import { publishKeys } from '../../shared/contract/endpoints/access-endpoints.ts';
import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { keyring } from '../../shared/delivery/signing/keyring.ts';
import type { InternalError } from '../../shared/domain/internal-errors.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { signingSecret } from '../../shared/storage/secrets/store.ts';

// The keyring is kept between invocations and rereads the secret every few minutes.
let keys: ReturnType<typeof keyring> | undefined;

const onError = (fault: InternalError) => logError(internalErrorLogged, fault, { operation: publishKeys.operation });

// Old keys stay valid for more than an hour after a rotation, so receivers may cache the published keys for an hour.
const cached = { 'cache-control': 'public, max-age=3600' } as const;

export const handler = serve(publishKeys, [signingSecret], async (_request, { signing, settings, now }) => {
  keys ??= keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now, onError });
  const valid = await keys();
  return { ...ok({ keys: valid.map(({ publicKey }) => publicKey) }), headers: cached };
});
