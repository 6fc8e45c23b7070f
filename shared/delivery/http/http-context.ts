import { deliveryTimes } from '../../contract/workers.ts';
import { type Engine, engineOf, type Given } from '../engine/delivery-context.ts';
import { keyring } from '../signing/keyring.ts';
import { signer } from '../signing/signature.ts';
import { addressGuard } from './address-guard.ts';
import { httpChannel } from './http-sender.ts';

type HttpTools = Given & {
  readonly slow: Engine['queue'];
  readonly signing: Parameters<typeof keyring>[0]['versions'] extends infer Versions ? { versions: Versions } : never;
  readonly settings: Parameters<typeof addressGuard>[0] & {
    readonly receiverTimeoutSeconds: number;
    readonly signatureOverlapDays: number;
    readonly hmacSignatures: boolean;
  };
};

/**
 * The engine of a function that delivers by http. Its channel is kept between invocations: its connections to receivers
 * serve again, and so do its keys. What fails or is slow goes on by the slow queue.
 */
export function httpEngine(onFailed: Engine['onFailed']): (tools: HttpTools) => Engine {
  let channel: ReturnType<typeof httpChannel> | undefined;
  return (tools) => {
    channel ??= openChannel(tools);
    const { leaseSeconds } = deliveryTimes(tools.settings.receiverTimeoutSeconds);
    return engineOf(tools, { queue: tools.slow, channel, onFailed, leaseSeconds });
  };
}

function openChannel({ settings, signing, now }: HttpTools) {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now });
  return httpChannel({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
  });
}
