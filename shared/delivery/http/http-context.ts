import { laneOf } from '../../domain/deliveries/channels.ts';
import { receiverTimes } from '../../domain/deliveries/times.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext, type Sender } from '../delivery-context.ts';
import { type KeyringOptions, keyring } from '../signing/keyring.ts';
import { signer } from '../signing/signature.ts';
import type { SendsTo, Tools } from '../tools.ts';
import { addressGuard } from './address-guard.ts';
import { httpSender } from './http-sender.ts';

type SenderReads =
  | ('receiverTimeoutSeconds' | 'allowedNetworks' | 'keepResponses')
  | ('hmacSignatures' | 'signatureOverlapDays');

type SenderTools = Pick<Tools<'signing:read', SenderReads>, 'signing' | 'settings' | 'now'>;

type HttpTools = DeliveryTools & SenderTools & Tools<SendsTo<'later', 'http'>>;

/** Creates the context for a function that delivers by http. All invocations share the sender and its connections. */
export function httpContext({
  onError,
  ...hearing
}: Pick<DeliveryContext, 'onFailed' | 'onAttempted'> & Pick<KeyringOptions, 'onError'>): (
  tools: HttpTools,
) => DeliveryContext {
  let sender: Sender | undefined;
  return (tools) => {
    sender ??= openSender(tools, onError);
    const laterLane = tools.queues[laneOf('http', 'later')];
    return deliveryContext(tools, { laterLane, sender, ...hearing, ...receiverTimes(tools.settings) });
  };
}

export function openSender({ settings, signing, now }: SenderTools, onError: KeyringOptions['onError']): Sender {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now, onError });
  return httpSender({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
    keepResponses: settings.keepResponses,
  });
}
