import { mailBatchSize, mailCopies } from '../domain/deliveries/mail-pace.ts';
import { mailFeedback } from '../model/deliveries/mail-feedback.ts';
import { cleanUpPayload } from '../model/topics/clean-up-payload.ts';
import { deliveryTask, waitingTask } from '../model/deliveries/task.ts';
import { fanOutPayload } from '../model/deliveries/fan-out-payload.ts';
import { defineWorker } from './worker.ts';

/**
 * The three times that keep a crash from losing or doubling work, each longer than the one before: the function is
 * stopped, then its claim on a task runs out, then the queue shows the task again. Seconds.
 */
export function deliveryTimes(receiverTimeoutSeconds: number) {
  const functionSeconds = receiverTimeoutSeconds + 10;
  const leaseSeconds = functionSeconds + 5;
  return { functionSeconds, leaseSeconds, visibilitySeconds: leaseSeconds + 5 };
}

export const fanOut = defineWorker({
  worker: 'fanOut',
  file: 'deliveries/fan-out',
  queue: 'fanOut',
  payload: fanOutPayload,
  batchSize: 10,
  maxConcurrency: 50,
  uses: ['subscriptions:fanOut', 'ledger:open', 'ledger:fanOut', 'fanOut:send', 'http:send', 'email:send'],
  reads: ['subscriptionsPerTask', 'ledgerDays'],
  impact: 'Published events wait: no subscriber is told until this function works again.',
  waitsForReceivers: false,
});

const deliveryUses = ['subscriptions:deliver', 'ledger:deliver', 'retry:send'] as const;
const deliveryReads = ['baseUrl', 'deliveryFormat', 'hopSeconds', 'ledgerDays', 'pauseAfterDays'] as const;

export const deliverByHttp = defineWorker({
  worker: 'deliverByHttp',
  file: 'deliveries/deliver-by-http',
  queue: 'http',
  payload: deliveryTask,
  batchSize: 10,
  maxConcurrency: 100,
  uses: [...deliveryUses, 'slow:send', 'signing:read'],
  reads: [...deliveryReads, 'receiverTimeoutSeconds', 'allowedNetworks', 'hmacSignatures', 'signatureOverlapDays'],
  impact: 'Subscribers by http receive nothing; their messages wait in the queue.',
  waitsForReceivers: true,
});

export const deliverSlowly = defineWorker({
  ...deliverByHttp,
  worker: 'deliverSlowly',
  file: 'deliveries/deliver-slowly',
  queue: 'slow',
  impact: 'Retries by http, and receivers that are slow or failing, receive nothing; their messages wait in the queue.',
});

export const deliverByEmail = defineWorker({
  worker: 'deliverByEmail',
  file: 'deliveries/deliver-by-email',
  queue: 'email',
  payload: deliveryTask,
  // Few copies and small batches: they keep to the sending rate (mail-pace.ts).
  batchSize: mailBatchSize,
  maxConcurrency: mailCopies,
  uses: [...deliveryUses, 'email:send', 'mail:send', 'signing:read'],
  reads: [...deliveryReads, 'emailsPerSecond', 'emailConfigurationSet', 'subscriptionsPerTask'],
  impact: 'Subscribers by e-mail receive nothing; their messages wait in the queue.',
  waitsForReceivers: false,
});

export const readMailFeedback = defineWorker({
  worker: 'readMailFeedback',
  file: 'deliveries/read-mail-feedback',
  queue: 'mailFeedback',
  payload: mailFeedback,
  batchSize: 10,
  maxConcurrency: 5,
  uses: ['subscriptions:pause'],
  reads: [],
  impact: 'Mail goes on to addresses that bounce or complain; SES may stop our sending.',
  waitsForReceivers: false,
});

export const wait = defineWorker({
  worker: 'wait',
  file: 'deliveries/wait',
  queue: 'retry',
  payload: waitingTask,
  batchSize: 10,
  maxConcurrency: 50,
  uses: ['slow:send', 'email:send', 'retry:send'],
  reads: ['hopSeconds'],
  impact: 'Retries of failed deliveries are late; first attempts are not affected.',
  waitsForReceivers: false,
});

export const removeSubscriptions = defineWorker({
  worker: 'removeSubscriptions',
  file: 'topics/remove-subscriptions',
  queue: 'cleanUp',
  payload: cleanUpPayload,
  batchSize: 1,
  maxConcurrency: 5,
  uses: ['topics:read', 'subscriptions:cleanUp'],
  reads: [],
  impact: 'Subscriptions of deleted topics stay listed; nothing is delivered to them.',
  waitsForReceivers: false,
});

export const workers = [
  fanOut,
  deliverByHttp,
  deliverSlowly,
  deliverByEmail,
  readMailFeedback,
  wait,
  removeSubscriptions,
] as const;
