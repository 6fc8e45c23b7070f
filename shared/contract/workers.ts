import * as z from 'zod/mini';
import { laneOf } from '../domain/deliveries/channels.ts';
import { mailFeedback } from '../domain/deliveries/mail-feedback.ts';
import { mailBatchSize, mailCopies } from '../domain/deliveries/mail-pace.ts';
import type { Protocol } from '../domain/subscriptions/subscription.ts';
import { fanOutPayload } from '../model/deliveries/fan-out-payload.ts';
import { recoveryPayload } from '../model/deliveries/recovery-payload.ts';
import { deliveryTask, waitingTask } from '../model/deliveries/task.ts';
import { recovers, sendsTo } from './capabilities.ts';
import { oneCoreMegabytes } from './one-core.ts';
import { defineWorker, type Worker } from './worker.ts';
import { deliveryReads, mailReads } from './workers/delivery-reads.ts';
import { linkDocuments } from './workers/documents-workers.ts';
import { fillIndexes } from './workers/indexes-workers.ts';
import { importChanges } from './workers/persons-workers.ts';
import { removeSubscriptions } from './workers/topics-workers.ts';

const memoryMegabytes = 512;

export const fanOut = defineWorker({
  worker: 'fanOut',
  file: 'deliveries/fan-out',
  payload: z.union([fanOutPayload, recoveryPayload]),
  batchSize: 10,
  lanes: [
    {
      lane: 'fanOut',
      queue: 'fanOut',
      memoryMegabytes,
      maxConcurrency: 30,
      impact: 'Published events wait: no subscriber is told until this function works again.',
    },
  ],
  uses: [
    'subscriptions:fanOut',
    'ledger:open',
    'ledger:fanOut',
    'messages:deliver',
    'journal:writeMany',
    'queues:fanOut',
    ...sendsTo('first'),
    ...sendsTo('mass'),
    ...recovers,
  ],
  reads: ['subscriptionsPerTask', 'ledgerDays', 'journalDays'],
});

const deliveryUses = ['subscriptions:deliver', 'ledger:deliver', 'messages:deliver', 'queues:retry'] as const;
export const deliverByHttp = defineWorker({
  worker: 'deliverByHttp',
  file: 'deliveries/deliver-by-http',
  payload: deliveryTask,
  batchSize: 10,
  lanes: [
    {
      lane: 'deliverByHttp',
      queue: 'http',
      // It mostly waits for receivers, and memory is paid for meanwhile: on a whole core an event to ten costs a sixth more, and one
      // with receivers that hang twice as much, to reach 5,000 at once in 6 s in place of 7.
      memoryMegabytes,
      maxConcurrency: 100,
      impact: 'Subscribers by http receive nothing; their messages wait in the queue.',
    },
    {
      lane: 'deliverToMany',
      queue: 'mass',
      // A new TLS connection takes 2.4 ms of a core: on less than one, forty tasks wait for each other.
      memoryMegabytes: oneCoreMegabytes,
      // One receiver that hangs keeps a copy for 15 s, and Lambda adds but 300 copies a minute: what counts is how many receivers
      // a copy has. 40 tasks of at most 20 on average are 800 of the 1,024 sockets that Lambda gives.
      batchSize: 40,
      batchingSeconds: 1,
      maxConcurrency: 400,
      impact: 'Subscribers by http of large topics receive nothing; their messages wait in the queue.',
    },
    {
      lane: 'deliverSlowly',
      queue: 'slow',
      memoryMegabytes,
      maxConcurrency: 100,
      impact:
        'Retries by http, and receivers that are slow or failing, receive nothing; their messages wait in the queue.',
    },
    {
      lane: 'askByHttp',
      queue: 'httpConfirmations',
      memoryMegabytes: 256,
      // Nobody asked for these but a caller: they may wait, and take no more copies than they need.
      maxConcurrency: 5,
      impact: 'New subscribers by http are not asked to confirm; events are not affected.',
    },
  ],
  uses: [...deliveryUses, `queues:${laneOf('http', 'later')}`, 'signing:read'],
  reads: [...deliveryReads, 'receiverTimeoutSeconds', 'allowedNetworks', 'hmacSignatures', 'signatureOverlapDays'],
});

export const deliverByEmail = defineWorker({
  worker: 'deliverByEmail',
  file: 'deliveries/deliver-by-email',
  payload: deliveryTask,
  // Few copies and small batches: they keep to the sending rate.
  batchSize: mailBatchSize,
  lanes: [
    {
      lane: 'deliverByEmail',
      queue: 'email',
      memoryMegabytes,
      maxConcurrency: mailCopies,
      impact: 'Subscribers by e-mail receive nothing; their messages wait in the queue.',
    },
  ],
  uses: [...deliveryUses, `queues:${laneOf('email', 'later')}`, 'mail:send', 'signing:read'],
  reads: mailReads,
});

export const askByEmail = defineWorker({
  worker: 'askByEmail',
  file: 'deliveries/ask-by-email',
  payload: deliveryTask,
  batchSize: mailBatchSize,
  lanes: [
    {
      lane: 'askByEmail',
      queue: 'emailConfirmations',
      memoryMegabytes: 256,
      maxConcurrency: mailCopies,
      impact: 'New subscribers by e-mail are not asked to confirm; events are not affected.',
    },
  ],
  uses: [...deliveryUses, `queues:${laneOf('email', 'confirmations')}`, 'mail:send', 'limits:ask', 'naming:read'],
  reads: mailReads,
});

export const readMailFeedback = defineWorker({
  worker: 'readMailFeedback',
  file: 'deliveries/read-mail-feedback',
  payload: mailFeedback,
  batchSize: 10,
  lanes: [
    {
      lane: 'readMailFeedback',
      queue: 'mailFeedback',
      memoryMegabytes,
      maxConcurrency: 5,
      impact: 'Mail goes on to addresses that bounce or complain; SES may stop our sending.',
    },
  ],
  uses: ['subscriptions:pause'],
  reads: [],
});

export const wait = defineWorker({
  worker: 'wait',
  file: 'deliveries/wait',
  payload: waitingTask,
  batchSize: 10,
  lanes: [
    {
      lane: 'wait',
      queue: 'retry',
      memoryMegabytes,
      maxConcurrency: 30,
      impact: 'Retries of failed deliveries are late; first attempts are not affected.',
    },
  ],
  uses: [...sendsTo('first'), ...sendsTo('mass'), ...sendsTo('later'), ...sendsTo('confirmations'), 'queues:retry'],
  reads: ['hopSeconds'],
});

/** The worker that delivers by each protocol. */
const deliverers = { http: deliverByHttp, email: deliverByEmail } satisfies Readonly<Record<Protocol, Worker>>;

export const workers = [
  fanOut,
  ...Object.values(deliverers),
  askByEmail,
  readMailFeedback,
  wait,
  removeSubscriptions,
  linkDocuments,
  importChanges,
  fillIndexes,
] as const;

/** The functions that the workers are deployed as: one for each lane. */
export const workerLanes = workers.flatMap((worker) => worker.lanes.map((lane) => ({ ...worker, ...lane })));
