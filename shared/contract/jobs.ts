import * as z from 'zod/mini';
import { isMoment } from '../domain/journal/journal-keys.ts';
import { lineOfText, plainLine, uuid } from '../domain/text.ts';
import { defineJob, oneCoreMegabytes } from './background-functions.ts';
import { readsBacklogs, sendsTo } from './capabilities.ts';
import { paceSettings } from './concurrency.ts';
import { time, uinInPath } from './parameters.ts';

export const sweep = defineJob('deliveries', {
  job: 'sweep',
  everyMinutes: 1,
  input: z.unknown(),
  timeoutSeconds: 55,
  uses: [
    'deliveries:sweep',
    'subscriptions:renewRequest',
    'subscriptions:listActive',
    'queues:fanOut',
    ...sendsTo('later'),
    ...sendsTo('confirmations'),
    ...readsBacklogs,
  ],
  reads: [...paceSettings, 'deliveryDays'],
  impact: 'Parked messages stay parked. In the rare case that a queue loses a message, the message is not recovered.',
});

/** Selects the failed or stuck deliveries to redeliver: by message, by subscription, by both, or by time (`since`). */
const choice = z.union([
  z.strictObject({ messageId: uuid, subscription: z.optional(uuid) }),
  z.strictObject({ subscription: uuid }),
  z.strictObject({ since: time }),
]);
export type RedeliveryChoice = z.infer<typeof choice>;

export const redeliver = defineJob('deliveries', {
  job: 'redeliver',
  input: choice,
  timeoutSeconds: 300,
  uses: ['deliveries:redeliverFailed', ...sendsTo('later')],
  reads: ['deliveryDays'],
  impact: 'Operators cannot redeliver failed deliveries.',
});

export const recover = defineJob('deliveries', {
  job: 'recover',
  input: z.strictObject({ subscription: uuid, since: z.optional(time) }),
  timeoutSeconds: 30,
  uses: ['subscriptions:read', 'deliveries:startRecovery', 'queues:fanOut'],
  reads: ['deliveryDays'],
  impact: 'Operators cannot recover the missed messages of a subscription.',
});

const mailboxChoice = z.strictObject({
  address: z.string({ error: 'must be an email address, such as ann@example.org' }),
});

export const allowRequests = defineJob('subscriptions', {
  job: 'allowRequests',
  input: mailboxChoice,
  timeoutSeconds: 30,
  uses: ['limits:allowRequests', 'naming:read'],
  reads: [],
  impact: 'Operators cannot allow confirmation requests again for people who stopped them.',
});

export const unsuppress = defineJob('subscriptions', {
  job: 'unsuppress',
  input: mailboxChoice,
  timeoutSeconds: 30,
  uses: ['suppressions:remove'],
  reads: [],
  impact: 'Operators cannot remove addresses from the suppression list after a bounce or complaint.',
});

export const indexDocuments = defineJob('documents', {
  job: 'indexDocuments',
  input: z.strictObject({}),
  timeoutSeconds: 30,
  uses: ['queues:documentEvents'],
  reads: [],
  impact:
    'If the S3 event for a document about two people was lost, requests for the second person must contain secondaryUin.',
});

export const reindexPersons = defineJob('persons', {
  job: 'reindexPersons',
  /** `withdraw`: the name of an index that searches must no longer use. */
  input: z.strictObject({ withdraw: z.optional(lineOfText) }),
  timeoutSeconds: 30,
  uses: ['indexing:change', 'queues:reindexing'],
  reads: [],
  impact: 'New search indexes cannot be filled. Searches use the existing indexes.',
});

const ofJournal = {
  since: z.optional(time),
  cursor: z.optional(z.string().check(z.refine(isMoment, { error: 'must be `next` from the previous page' }))),
  purpose: z.optional(plainLine),
};

export const readJournal = defineJob('persons', {
  job: 'readJournal',
  input: z.union([
    z.strictObject({ uin: uinInPath, ...ofJournal }),
    z.strictObject({ caller: z.string().check(z.minLength(1)), ...ofJournal }),
  ]),
  timeoutSeconds: 60,
  uses: ['journal:read', 'journal:write', 'persons:read'],
  reads: ['journalDays', 'oidcIssuer'],
  impact: "Operators cannot find out who read a person's data. The journal is still written.",
});

/**
 * Each run continues where the previous run ended and exports as much as it can. Scheduled runs start at most 15
 * minutes late and end within 15 minutes, so at most two runs overlap.
 */
const exporting = {
  ...{ everyMinutes: 15, input: z.unknown(), timeoutSeconds: 840 },
  // Exports get one full core, because the CPU limits how fast they read, check and compress rows.
  memoryMegabytes: oneCoreMegabytes,
};

export const exportJournal = defineJob('persons', {
  job: 'exportJournal',
  ...exporting,
  uses: ['journalHours:read', 'journalObjects:write'],
  reads: ['journalDays'],
  impact: 'Journal rows are stored only in the table, where they are not locked. The next run catches up.',
});

export const exportDeliveries = defineJob('deliveries', {
  job: 'exportDeliveries',
  ...exporting,
  uses: ['journalHours:read', 'messageDeliveries:read', 'deliveryObjects:write'],
  reads: ['deliveryDays', 'journalDays'],
  impact:
    'The recipients of events are not exported. The next run catches up. After a week without an export, delivery records are lost.',
});

export const jobs = [
  ...[sweep, redeliver, recover, allowRequests, unsuppress],
  ...[readJournal, exportJournal, exportDeliveries, indexDocuments, reindexPersons],
] as const;
