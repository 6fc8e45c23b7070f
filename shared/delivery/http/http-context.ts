import { deliveryTimes } from '../../contract/workers.ts';
import { type DeliveryContext, deliveryContext, type Given } from '../engine/delivery-context.ts';
import { keyring } from '../signing/keyring.ts';
import { signer } from '../signing/signature.ts';
import { addressGuard } from './address-guard.ts';
import { httpSender } from './http-sender.ts';

type HttpTools = Given & {
  readonly slow: DeliveryContext['queue'];
  readonly signing: Parameters<typeof keyring>[0]['versions'] extends infer Versions ? { versions: Versions } : never;
  readonly settings: Parameters<typeof addressGuard>[0] & {
    readonly receiverTimeoutSeconds: number;
    readonly signatureOverlapDays: number;
    readonly hmacSignatures: boolean;
  };
};

/**
 * The context of a function that delivers by http. Its sender is kept between invocations: its connections to receivers
 * serve again, and so do its keys. What fails or is slow goes on by the slow queue.
 */
export function httpContext(
  hearing: Pick<DeliveryContext, 'onFailed' | 'onAttempted'>,
): (tools: HttpTools) => DeliveryContext {
  let sender: ReturnType<typeof httpSender> | undefined;
  return (tools) => {
    sender ??= openChannel(tools);
    const { leaseSeconds } = deliveryTimes(tools.settings.receiverTimeoutSeconds);
    return deliveryContext(tools, { queue: tools.slow, sender, ...hearing, leaseSeconds });
  };
}

function openChannel({ settings, signing, now }: HttpTools) {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now });
  return httpSender({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
  });
}
