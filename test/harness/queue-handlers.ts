import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handler as mailFeedback } from '../../functions/deliveries/read-mail-feedback.ts';
import { handler as wait } from '../../functions/deliveries/wait.ts';
import { handler as documentEvents } from '../../functions/documents/link-documents.ts';
import { handler as reindexing } from '../../functions/persons/fill-indexes.ts';
import { handler as imports } from '../../functions/persons/import-changes.ts';
import { handler as removeSubscriptions } from '../../functions/topics/remove-subscriptions.ts';
import { workerTimes } from '../../infra/constructs/worker-times.ts';
import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import type { QueueName } from '../../shared/contract/queue-names.ts';
import { deliverByEmail, deliverByHttp, fanOut, requestConfirmationByEmail } from '../../shared/contract/workers.ts';
import { deliverAll } from '../../shared/delivery/deliver-tasks.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../../shared/delivery/delivery-context.ts';
import { fanOutMessage, fanOutNextSegment } from '../../shared/delivery/fan-out/fan-out-message.ts';
import { visitParking } from '../../shared/delivery/parking/visit-parking.ts';
import { runRecoveryStep } from '../../shared/delivery/recovery/recover-missed.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import type { Interference } from './interference.ts';
import { type GivenSettings, settingsOf } from './variables.ts';

type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

interface Delivering extends Pick<DeliveryContext, 'sender' | 'onFailed'> {
  readonly settings: GivenSettings;
  /** The number of subscriptions per task. Tests use fewer subscriptions per task than the product. */
  readonly subscriptionsPerTask?: number | undefined;
  readonly interference: () => Interference;
}

const stores = [subscriptions, deliveries, messages, queues] as const;

const onError = (error: unknown) => logError(internalErrorLogged, error, { worker: fanOut.worker });

/** Returns the `fanOut` worker with the test's number of subscriptions per task. Failures are reported to the test. */
const fanOutOf = (subscriptionsPerTask: number | undefined, onFailed: DeliveryContext['onFailed']): QueueHandler =>
  consume(fanOut, [...stores, journal], (payloads, tools) =>
    Promise.allSettled(
      payloads.map((payload) => {
        if ('parkingOf' in payload) return visitParking(payload, { ...tools, onFailed });
        if ('recoveryOf' in payload) return runRecoveryStep(payload, { ...tools, onSkipped: () => {} });
        const given = { ...tools, ...(subscriptionsPerTask && { subscriptionsPerTask }), onError };
        return payload.segment === undefined
          ? fanOutMessage(payload, given)
          : fanOutNextSegment(payload, payload.segment, given);
      }),
    ),
  );

/** Returns the deployed functions that read queues. These functions use the sender of the test. */
export function queueHandlers({
  settings,
  subscriptionsPerTask,
  interference,
  ...own
}: Delivering): Record<QueueName, QueueHandler> {
  const contextOf = (
    name: QueueName,
    tools: DeliveryTools,
    laterLane: DeliveryContext['laterLane'],
  ): DeliveryContext => {
    const { leaseSeconds } = workerTimes(name, settingsOf(settings));
    const times = { leaseSeconds, attemptSeconds: 15 };
    const context = deliveryContext(tools, { ...own, laterLane, onAttempted: () => {}, ...times });
    return interference().engine?.(context) ?? context;
  };
  const http = consume(deliverByHttp, stores, (tasks, tools) =>
    deliverAll(tasks, contextOf('http', tools, tools.queues.slow)),
  );
  const email = consume(deliverByEmail, stores, (tasks, tools) =>
    deliverAll(tasks, contextOf('email', tools, tools.queues.email)),
  );
  const emailConfirmations = consume(requestConfirmationByEmail, stores, (tasks, tools) =>
    deliverAll(tasks, contextOf('emailConfirmations', tools, tools.queues.emailConfirmations)),
  );
  const channels = { http, slow: http, mass: http, httpConfirmations: http, email, emailConfirmations };
  const others = { mailFeedback, documentEvents, imports, reindexing };
  return {
    ...channels,
    fanOut: fanOutOf(subscriptionsPerTask, own.onFailed),
    retry: wait,
    cleanUp: removeSubscriptions,
    ...others,
  };
}
