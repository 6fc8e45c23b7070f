import * as z from 'zod/mini';
import { isMoment } from '../domain/journal/journal-keys.ts';
import { lineOfText, plainLine, uuid } from '../domain/text.ts';
import { looksAt, sendsTo } from './capabilities.ts';
import { defineJob } from './job.ts';
import { paceSettings } from './lane-pace.ts';
import { oneCoreMegabytes } from './one-core.ts';
import { time, uinInPath } from './parameters.ts';

export const sweep = defineJob({
  job: 'sweep',
  file: 'deliveries/sweep',
  everyMinutes: 1,
  input: z.unknown(),
  timeoutSeconds: 55,
  uses: [
    'ledger:sweep',
    'subscriptions:sweep',
    'subscriptions:fanOut',
    'queues:fanOut',
    ...sendsTo('later'),
    ...sendsTo('confirmations'),
    'backlog:fanOut',
    'backlog:retry',
    ...looksAt('first'),
    ...looksAt('mass'),
    ...looksAt('later'),
    ...looksAt('confirmations'),
  ],
  reads: paceSettings,
  impact: 'Work that the queues lose (they hardly do) is not found again; nothing else is affected.',
});

/** Which failed or stuck deliveries to make again: of one message, of one subscription, of one of both, or all since a time. */
const choice = z.union([
  z.strictObject({ messageId: uuid, subscription: z.optional(uuid) }),
  z.strictObject({ subscription: uuid }),
  z.strictObject({ since: time }),
]);
export type RedeliveryChoice = z.infer<typeof choice>;

export const redeliver = defineJob({
  job: 'redeliver',
  file: 'deliveries/redeliver',
  input: choice,
  timeoutSeconds: 300,
  uses: ['ledger:redeliver', ...sendsTo('later')],
  reads: ['ledgerDays'],
  impact: 'Operators cannot have failed deliveries made again.',
});

export const recover = defineJob({
  job: 'recover',
  file: 'deliveries/recover',
  input: z.strictObject({ subscription: uuid, since: z.optional(time) }),
  timeoutSeconds: 30,
  uses: ['subscriptions:show', 'ledger:beginRecovery', 'queues:fanOut'],
  reads: ['ledgerDays'],
  impact: 'Operators cannot have delivered what a subscription missed.',
});

/** Whose mailbox it is about. */
const mailboxChoice = z.strictObject({
  address: z.string({ error: 'must be the address of a mailbox, such as ann@example.org' }),
});

export const allowAsking = defineJob({
  job: 'allowAsking',
  file: 'subscriptions/allow-asking',
  input: mailboxChoice,
  timeoutSeconds: 30,
  uses: ['limits:allow', 'naming:read'],
  reads: [],
  impact: 'Who never wanted to be asked again cannot take that back.',
});

export const unsuppress = defineJob({
  job: 'unsuppress',
  file: 'subscriptions/unsuppress',
  input: mailboxChoice,
  timeoutSeconds: 30,
  uses: ['suppressions:remove'],
  reads: [],
  impact: 'Addresses that have bounced or complained get no mail again when they return.',
});

export const indexDocuments = defineJob({
  job: 'indexDocuments',
  file: 'documents/index-documents',
  input: z.strictObject({}),
  timeoutSeconds: 30,
  uses: ['queues:documentEvents'],
  reads: [],
  impact: 'Documents that S3 told nobody of are found from the other side only with secondaryUin.',
});

export const reindexPersons = defineJob({
  job: 'reindexPersons',
  file: 'persons/reindex-persons',
  /** `withdraw`: the name of an index that is not to be searched any more. */
  input: z.strictObject({ withdraw: z.optional(lineOfText) }),
  timeoutSeconds: 30,
  uses: ['indexing:change', 'queues:reindexing'],
  reads: [],
  impact: 'New search indexes cannot be filled; searches go on by the others.',
});

const ofJournal = {
  since: z.optional(time),
  /** `next` of the page before. */
  cursor: z.optional(z.string().check(z.refine(isMoment, { error: 'must be `next` of the page before' }))),
  purpose: z.optional(plainLine),
};

export const readJournal = defineJob({
  job: 'readJournal',
  file: 'persons/read-journal',
  input: z.union([
    z.strictObject({ uin: uinInPath, ...ofJournal }),
    z.strictObject({ caller: z.string().check(z.minLength(1)), ...ofJournal }),
  ]),
  timeoutSeconds: 60,
  uses: ['journal:read', 'journal:write'],
  reads: ['journalDays', 'oidcIssuer'],
  impact: 'Nobody can be told who read what of them; the journal itself is written.',
});

/**
 * A run goes on where the last one ended: of a backlog each takes what it can. A tick of the clock waits for room for a period at
 * most, and a run ends within one: two may be at work at once, and no more than an operator adds.
 */
const exporting = {
  ...{ everyMinutes: 15, input: z.unknown(), timeoutSeconds: 840 },
  // A core: rows are read, checked and compressed as fast as one can.
  memoryMegabytes: oneCoreMegabytes,
};

export const exportJournal = defineJob({
  job: 'exportJournal',
  file: 'persons/export-journal',
  ...exporting,
  uses: ['journalHours:read', 'journalObjects:write'],
  reads: ['journalDays'],
  impact: 'The journal is kept in its table only, not where it is locked; the next run makes up for it.',
});

export const exportDeliveries = defineJob({
  job: 'exportDeliveries',
  file: 'deliveries/export-deliveries',
  ...exporting,
  uses: ['journalHours:read', 'told:read', 'deliveryObjects:write'],
  reads: ['ledgerDays', 'journalDays'],
  impact:
    'Who was told of events is forgotten when the ledger ends its rows, a week later; the next run makes up for it.',
});

export const jobs = [
  ...[sweep, redeliver, recover, allowAsking, unsuppress],
  ...[readJournal, exportJournal, exportDeliveries, indexDocuments, reindexPersons],
] as const;
