import { type LaneQueue, laneOf } from '../../domain/deliveries/channels.ts';
import { receiverTimes } from '../../domain/deliveries/times.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../delivery-context.ts';
import type { Sender } from '../engine/sender.ts';
import { type KeyringOptions, keyring } from '../signing/keyring.ts';
import { signer } from '../signing/signature.ts';
import { type AddressGuardOptions, addressGuard } from './address-guard.ts';
import { httpSender } from './http-sender.ts';

interface SenderTools {
  readonly signing: Pick<KeyringOptions, 'versions'>;
  readonly settings: AddressGuardOptions & {
    readonly receiverTimeoutSeconds: number;
    readonly signatureOverlapDays: number;
    readonly hmacSignatures: boolean;
  };
  readonly now: () => number;
}

type HttpTools = DeliveryTools &
  SenderTools & { readonly queues: Readonly<Record<LaneQueue<'later', 'http'>, DeliveryContext['laterLane']>> };

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
  let sender: Sender | undefined;
  return (tools) => {
    sender ??= openSender(tools, onFault);
    const laterLane = tools.queues[laneOf('http', 'later')];
    return deliveryContext(tools, { laterLane, sender, ...hearing, ...receiverTimes(tools.settings) });
  };
}

/** The http sender of a deployment: its keys, its guard and its patience. */
export function openSender({ settings, signing, now }: SenderTools, onFault: KeyringOptions['onFault']): Sender {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now, onFault });
  return httpSender({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
  });
}
