import { deliverByHttp, deliveryTimes } from '../../shared/contract/workers.ts';
import { addressGuard } from '../../shared/delivery/address-guard.ts';
import { deliverTask } from '../../shared/delivery/deliver-task.ts';
import { engineOf } from '../../shared/delivery/engine.ts';
import { httpChannel } from '../../shared/delivery/http-channel.ts';
import { keyring } from '../../shared/delivery/keyring.ts';
import { signer } from '../../shared/delivery/signature.ts';
import { consume, type WorkerTools } from '../../shared/lambda/consume.ts';
import { deliveries } from '../../shared/storage/deliveries.ts';
import { httpQueue, retryQueue } from '../../shared/storage/queues.ts';
import { signingSecret } from '../../shared/storage/secrets.ts';
import { subscriptions } from '../../shared/storage/subscriptions.ts';

const stores = [subscriptions, deliveries, retryQueue, httpQueue, signingSecret] as const;

// Kept between invocations: its connections to receivers serve again, and so do its keys.
let channel: ReturnType<typeof httpChannel> | undefined;

export const handler = consume(deliverByHttp, stores, (jobs, tools) => {
  channel ??= openChannel(tools);
  const { leaseSeconds } = deliveryTimes(tools.settings.receiverTimeoutSeconds);
  const engine = engineOf(tools, tools.http, channel, leaseSeconds);
  return Promise.allSettled(jobs.map((task) => deliverTask(task, engine)));
});

function openChannel({ settings, signing, now }: WorkerTools<typeof deliverByHttp, typeof stores>) {
  const keys = keyring({ versions: signing.versions, overlapDays: settings.signatureOverlapDays, now });
  return httpChannel({
    timeoutSeconds: settings.receiverTimeoutSeconds,
    guard: addressGuard(settings),
    sign: signer({ keys, hasHmac: settings.hmacSignatures, now }),
    now,
  });
}
