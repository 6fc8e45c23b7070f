import { type LaneQueue, laneOf } from '../../domain/deliveries/channels.ts';
import { receiverTimes } from '../../domain/deliveries/times.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../engine/delivery-context.ts';
import { type KeyringOptions, keyring } from '../signing/keyring.ts';
import { signer } from '../signing/signature.ts';
import { type AddressGuardOptions, addressGuard } from './address-guard.ts';
import { httpSender } from './http-sender.ts';

type HttpTools = DeliveryTools & {
  readonly queues: Readonly<Record<LaneQueue<'later', 'http'>, DeliveryContext['laterLane']>>;
  readonly signing: Pick<KeyringOptions, 'versions'>;
  readonly settings: AddressGuardOptions & {
    readonly receiverTimeoutSeconds: number;
    readonly signatureOverlapDays: number;
    readonly hmacSignatures: boolean;
  };
};

/**
 * The context of a function that delivers by http. Its sender is kept between invocations: its connections to receivers
 * serve again, and so do its keys.
 */
export function httpContext({
  onFault,
  ...hearing
}: Pick<DeliveryContext, 'onFailed' | 'onAttempted'> & Pick<KeyringOptions, 'onFault'>): (
  tools: HttpTools,
) => DeliveryContext {
  let sender: ReturnType<typeof httpSender> | undefined;
  return (tools) => {
    sender ??= openSender(tools, onFault);
    const laterLane = tools.queues[laneOf('http', 'later')];
    return deliveryContext(tools, { laterLane, sender, ...hearing, ...receiverTimes(tools.settings) });
  };
}

function openSender({ settings, signing, now }: HttpTools, onFault: KeyringOptions['onFault']) {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now, onFault });
  return httpSender({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
  });
}
