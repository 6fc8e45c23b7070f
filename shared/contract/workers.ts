import * as z from 'zod/mini';
import { laneOf } from '../domain/deliveries/channels.ts';
import { mailFeedback } from '../domain/deliveries/mail-feedback.ts';
import { mailBatchSize, mailCopies } from '../domain/deliveries/mail-pace.ts';
import { fanOutPayload } from '../domain/deliveries/message.ts';
import { parkingPayload } from '../domain/deliveries/parking.ts';
import { recoveryPayload } from '../domain/deliveries/recovery.ts';
import { deliveryTask, waitingTask } from '../domain/deliveries/task.ts';
import type { Protocol } from '../domain/subscriptions/subscription.ts';
import { defineWorker, oneCoreMegabytes, usualMegabytes, type Worker } from './background-functions.ts';
import { sendsTo } from './capabilities.ts';
import { pageReads } from './letterhead-settings.ts';
import { fillIndexes, importChanges, linkDocuments, removeSubscriptions } from './workers/registry-workers.ts';

/** The settings that the delivery functions of all channels read. */
export const deliveryReads = ['baseUrl', 'deliveryFormat', 'deliveryDays', 'pauseAfterDays'] as const;

/** The settings that the email functions read. */
const mailReads = [
  ...[...deliveryReads, ...pageReads],
  ...(['timeZone', 'emailSenderName', 'emailsPerSecond', 'stage', 'repeatUnknownMails'] as const),
] as const;

export const fanOut = defineWorker('deliveries', {
  worker: 'fanOut',
  payload: z.union([fanOutPayload, recoveryPayload, parkingPayload]),
  batchSize: 10,
  lanes: [
    {
      queue: 'fanOut',
      maxConcurrency: 30,
      impact: 'Published events wait in the queue. No subscriber receives events until the function `fanOut` recovers.',
    },
  ],
  uses: [
    'subscriptions:listActive',
    'deliveries:publish',
    'deliveries:fanOut',
    'messages:readWrite',
    'journal:writeMany',
    'queues:fanOut',
    ...sendsTo('first'),
    ...sendsTo('mass'),
    'subscriptions:read',
    'deliveries:list',
    'deliveries:redeliver',
    'deliveries:continueRecovery',
    ...sendsTo('later'),
    'deliveries:visitParking',
  ],
  reads: ['deliveryDays', 'journalDays'],
});

export const deliveryUses = [
  ...(['subscriptions:deliver', 'deliveries:deliver', 'messages:readWrite'] as const),
  ...(['queues:retry', 'queues:fanOut'] as const),
] as const;
export const deliverByHttp = defineWorker('deliveries', {
  worker: 'deliverByHttp',
  payload: deliveryTask,
  batchSize: 10,
  lanes: [
    {
      queue: 'http',
      // The function mostly waits for receivers, so it gets less than a full core. A full core would save little time,
      // and would cost up to twice as much when receivers do not respond.
      maxConcurrency: 100,
      impact: 'HTTP subscribers receive nothing. Messages wait in the queue.',
    },
    {
      lane: 'deliverToMany',
      queue: 'mass',
      // With less than a full core, forty deliveries would delay each other, because a new TLS connection takes 2.4 ms
      // of CPU time.
      memoryMegabytes: oneCoreMegabytes,
      // A receiver that does not respond blocks an instance for 15 s, and Lambda adds only 300 instances per minute.
      // For this reason, an instance serves about 400 to 800 receivers at once, which is within Lambda's limit of 1,024
      // file descriptors.
      batchSize: 40,
      batchingSeconds: 1,
      maxConcurrency: 400,
      impact: 'HTTP subscribers of large topics receive nothing. Messages wait in the queue.',
    },
    {
      lane: 'deliverSlowly',
      queue: 'slow',
      maxConcurrency: 100,
      impact: 'Retries over http and deliveries to slow or failing receivers stop. Messages wait in the queue.',
    },
    {
      lane: 'requestConfirmationByHttp',
      queue: 'httpConfirmations',
      memoryMegabytes: 256,
      // Subscribe calls cause these requests. Confirmation requests may wait, so a few instances are enough.
      maxConcurrency: 5,
      impact: 'New http subscribers receive no confirmation requests. Events are not affected.',
    },
  ],
  uses: [...deliveryUses, `queues:${laneOf('http', 'later')}`, 'signing:read'],
  reads: [
    ...deliveryReads,
    ...(['receiverTimeoutSeconds', 'allowedNetworks', 'keepResponses'] as const),
    ...(['hmacSignatures', 'signatureOverlapDays'] as const),
  ],
});

export const deliverByEmail = defineWorker('deliveries', {
  worker: 'deliverByEmail',
  payload: deliveryTask,
  // Small batches and few instances keep the sending rate within its limit.
  batchSize: mailBatchSize,
  lanes: [
    {
      queue: 'email',
      maxConcurrency: mailCopies,
      impact: 'Subscribers by email receive nothing. Messages wait in the queue.',
    },
  ],
  uses: [...deliveryUses, `queues:${laneOf('email', 'later')}`, 'mail:send', 'signing:read'],
  reads: mailReads,
});

export const requestConfirmationByEmail = defineWorker('deliveries', {
  worker: 'requestConfirmationByEmail',
  payload: deliveryTask,
  batchSize: mailBatchSize,
  lanes: [
    {
      queue: 'emailConfirmations',
      memoryMegabytes: 256,
      maxConcurrency: mailCopies,
      impact: 'New subscribers by email receive no confirmation requests. Events are not affected.',
    },
  ],
  uses: [
    ...deliveryUses,
    `queues:${laneOf('email', 'confirmations')}`,
    'mail:send',
    'limits:readDeclined',
    'naming:read',
  ],
  reads: mailReads,
});

export const readMailFeedback = defineWorker('deliveries', {
  worker: 'readMailFeedback',
  payload: mailFeedback,
  batchSize: 10,
  lanes: [
    {
      queue: 'mailFeedback',
      maxConcurrency: 5,
      impact: 'Emails are still sent to addresses after a bounce or complaint. SES may suspend our sending.',
    },
  ],
  uses: ['subscriptions:pause', 'deliveries:scheduleStatus'],
  reads: ['deliveryDays'],
});

export const wait = defineWorker('deliveries', {
  worker: 'wait',
  payload: waitingTask,
  batchSize: 10,
  lanes: [
    {
      queue: 'retry',
      maxConcurrency: 30,
      impact: 'Retries of failed deliveries are late. First attempts are not affected.',
    },
  ],
  uses: [...sendsTo('first'), ...sendsTo('mass'), ...sendsTo('later'), ...sendsTo('confirmations'), 'queues:retry'],
  reads: [],
});

const deliverers = { http: deliverByHttp, email: deliverByEmail } satisfies Readonly<Record<Protocol, Worker>>;

export const workers = [
  fanOut,
  ...Object.values(deliverers),
  requestConfirmationByEmail,
  readMailFeedback,
  wait,
  removeSubscriptions,
  linkDocuments,
  importChanges,
  fillIndexes,
] as const;

/** The functions of all workers: one for each lane. */
export const workerLanes = workers.flatMap((worker) =>
  worker.lanes.map((lane) => ({ memoryMegabytes: usualMegabytes, lane: worker.worker, ...worker, ...lane })),
);
