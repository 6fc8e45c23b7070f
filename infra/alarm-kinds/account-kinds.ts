import type { AlarmKind } from './alarm-kind.ts';

/** What AWS has limits for. */
export const accountKinds = {
  lambdaThrottles: {
    severity: 'now',
    title: 'Lambda refuses to run functions',
    rings:
      '50 invocations in 5 minutes were refused, twice in a row, anywhere in the account: other applications take from it, too',
    hurts: 'Whoever calls the API: the gateway answers 500 where its function cannot run.',
    look: [
      'concurrency of the account beside its quota',
      'who takes it: the functions of this stage, or another application',
      'a flood of requests, in the access log by `caller`',
    ],
  },
  concurrencyNear: {
    severity: 'day',
    title: 'Concurrency is nearly spent',
    rings:
      'all functions of the account, those of other stages and applications too, ran four fifths of `concurrency`, the share of this stage, at once, within each of two times 5 minutes',
    hurts: 'Nobody yet; beyond it Lambda refuses to run functions.',
    look: [
      'which functions run, on the dashboard: this stage, or another application',
      'the quota in Service Quotas, and ask for more',
      'whether requests have become slower: as many then last longer',
    ],
  },
  tableThrottles: {
    severity: 'day',
    title: 'DynamoDB throttles',
    rings:
      '100 requests to a table, or to one of its indexes, in each of three times 5 minutes: calls are repeated, and bursts pass unnoticed; what hurts callers rings by itself',
    hurts: 'Everything that uses the table is slower.',
    look: [
      'which table or index, on the dashboard',
      'one hot key (a very large topic) or the whole table',
      'a quota of the account, or `warmWritesPerSecond` before the next large event',
    ],
  },
  mailBounces: {
    severity: 'day',
    title: 'Mails bounce',
    rings: '5 % of the mails of the account bounce: SES reviews it from there on, and stops sending at 10 %',
    hurts: 'All subscribers by e-mail, if SES stops the account.',
    look: [
      'the lines `mail feedback` with `Bounce`: one domain, or many',
      'who subscribes bad addresses: the audit lines of `subscribe` by `caller`',
      'whether another application sends by the same account',
    ],
  },
  mailComplaints: {
    severity: 'day',
    title: 'Mails are complained of',
    rings:
      '0.1 % of the mails of the account are reported as spam: SES reviews it from there on, and stops sending at 0.5 %',
    hurts: 'All subscribers by e-mail, if SES stops the account.',
    look: [
      'the lines `mail feedback` with `Complaint`',
      'who has people asked that never wanted it: the audit lines of `subscribe` by `caller`',
      'whether another application sends by the same account',
    ],
  },
  mailQuota: {
    severity: 'day',
    title: 'The quota of mails is nearly spent',
    rings: 'four fifths of `emailsPerDay` went out within a day',
    hurts: 'Subscribers by e-mail, from when it is spent: mail waits until SES sends again.',
    look: [
      'the quota in the console of SES, and ask for more',
      'what was published to subscribers by e-mail',
      'another application that sends',
    ],
  },
  certificateNear: {
    severity: 'day',
    title: 'The certificate runs out',
    rings: 'it has less than 30 days left, and ACM renews from 60 days on: something keeps it from that',
    hurts: 'Nobody yet; every caller, from the day on which it has run out.',
    look: [
      'the renewal status of the certificate in ACM',
      'whether the record by which ACM validates the domain is still in its zone',
      'whether it was imported: ACM renews those of its own only',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
