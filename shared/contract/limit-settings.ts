import { integer } from './setting-schemas.ts';

/** The settings for the limits per caller, mailbox and stage. */
export const limitSettings = {
  unconfirmedPerHost: {
    schema: () => integer(1, 1000),
    default: '25',
    meaning: 'maximum number of unconfirmed http subscriptions that one caller may have at one host',
  },
  confirmationsPerMailbox: {
    schema: () => integer(1, 1000),
    default: '5',
    meaning:
      'maximum number of confirmation requests to one mailbox per day from all callers; `name+tag` and `NAME` count as the mailbox `name`',
  },
  confirmationsPerMailboxAndCaller: {
    schema: () => integer(1, 1000),
    default: '2',
    meaning:
      'maximum number of confirmation requests to one mailbox per day from one caller, so that no caller uses up the share of other callers',
  },
  confirmationsPerCaller: {
    schema: () => integer(1, 1_000_000),
    default: '600',
    meaning: 'maximum number of confirmation requests that one caller may cause per clock hour',
  },
  subscriptionsPerHost: {
    // One query of the index can count at most 10,000 rows.
    schema: () => integer(1, 10_000),
    default: '1000',
    meaning:
      'maximum number of http subscriptions that one caller may have at one host, including unconfirmed subscriptions',
  },
  searchRowsPerMinute: {
    // The minimum is 1000, because one search can have 1000 matches.
    schema: () => integer(1000, 1_000_000),
    default: '10000',
    meaning:
      'maximum number of journal rows that one caller may cause per minute with searches that have more than 20 matches; each match adds one row',
  },
  importWritesPerSecond: {
    schema: () => integer(1, 40_000),
    default: '500',
    meaning:
      'number of writes per second that an import makes to the `persons` table; the indexes of the table add up to twelve writes per person',
  },
  reindexWritesPerSecond: {
    schema: () => integer(1, 10_000),
    default: '200',
    meaning:
      'maximum number of persons per second that are written to a new search index; four times as many persons are read',
  },
  warmWritesPerSecond: {
    schema: () => integer(4000, 40_000),
    default: '4000',
    meaning:
      'writes per second for which `subscriptions`, `deliveries` and `journal` are prepared (warm throughput). Units above 4000 are charged once (infra/README.md, Costs), and AWS rejects a lower value later',
  },
  concurrency: {
    schema: () => integer(1, 100_000),
    // The usual concurrency quota of an AWS account; new accounts have a quota of 10.
    default: '1000',
    meaning:
      "this stage's share of the account's concurrent executions: queues use up to 70 % of it; `production` reserves 5 % each for access tokens and for issuing UINs",
  },
} as const;
