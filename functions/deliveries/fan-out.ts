import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { fanOut } from '../../shared/contract/workers.ts';
import { fanOutMessage, fanOutNextSegment } from '../../shared/delivery/fan-out/fan-out-message.ts';
import { visitParking } from '../../shared/delivery/parking/visit-parking.ts';
import { runRecoveryStep } from '../../shared/delivery/recovery/recover-missed.ts';
import type { InternalError } from '../../shared/domain/internal-errors.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logError, logWarning } from '../../shared/lambda/logger.ts';
import { onFailed } from '../../shared/lambda/report-delivery.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';

const stores = [subscriptions, deliveries, messages, journal, queues] as const;

const onError = (fault: InternalError) => logError(internalErrorLogged, fault, { worker: fanOut.worker });
// A warning is enough, because `stuckTask` has already reported the unsent message as an error.
const onSkipped = (messageId: string, subscription: string) =>
  logWarning('recovery skipped a message', { worker: fanOut.worker, messageId, subscription });

export const handler = consume(fanOut, stores, (payloads, tools) =>
  Promise.allSettled(
    payloads.map((payload) => {
      if ('parkingOf' in payload) return visitParking(payload, { ...tools, onFailed });
      if ('recoveryOf' in payload) return runRecoveryStep(payload, { ...tools, onSkipped });
      return payload.segment === undefined
        ? fanOutMessage(payload, { ...tools, onError })
        : fanOutNextSegment(payload, payload.segment, tools);
    }),
  ),
);
