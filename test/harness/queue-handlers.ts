import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handler as fanOut } from '../../functions/deliveries/fan-out.ts';
import { handler as mailFeedback } from '../../functions/deliveries/read-mail-feedback.ts';
import { handler as wait } from '../../functions/deliveries/wait.ts';
import { handler as documentEvents } from '../../functions/documents/link-documents.ts';
import { handler as reindexing } from '../../functions/persons/fill-indexes.ts';
import { handler as imports } from '../../functions/persons/import-changes.ts';
import { handler as removeSubscriptions } from '../../functions/topics/remove-subscriptions.ts';
import { workerTimes } from '../../infra/constructs/worker-times.ts';
import type { QueueName } from '../../shared/contract/queues.ts';
import { askByEmail, deliverByEmail, deliverByHttp } from '../../shared/contract/workers.ts';
import { type DeliveryContext, type DeliveryTools, deliveryContext } from '../../shared/delivery/delivery-context.ts';
import { deliverAll } from '../../shared/delivery/engine/deliver-task.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/subscriptions.ts';
import type { Interference } from './interference.ts';
import { type GivenSettings, settingsOf } from './variables.ts';

type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

interface Delivering extends Pick<DeliveryContext, 'sender' | 'onFailed'> {
  readonly settings: GivenSettings;
  readonly interference: () => Interference;
}

const stores = [subscriptions, ledger, messages, queues] as const;

/** The functions behind the queues, as they are deployed; those that deliver have the sender of the test. */
export function queueHandlers({ settings, interference, ...own }: Delivering): Record<QueueName, QueueHandler> {
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
  const emailConfirmations = consume(askByEmail, stores, (tasks, tools) =>
    deliverAll(tasks, contextOf('emailConfirmations', tools, tools.queues.emailConfirmations)),
  );
  const channels = { http, slow: http, mass: http, httpConfirmations: http, email, emailConfirmations };
  const others = { mailFeedback, documentEvents, imports, reindexing };
  return { ...channels, fanOut, retry: wait, cleanUp: removeSubscriptions, ...others };
}
