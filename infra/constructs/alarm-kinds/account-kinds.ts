import type { AlarmKind } from './alarm-kind.ts';

export const accountKinds = {
  lambdaThrottles: {
    severity: 'now',
    title: 'Lambda throttles functions',
    condition:
      'Lambda throttled at least 50 invocations in 5 minutes, twice in a row. Other applications of the account count too.',
    impact: 'API clients receive 500 when a function cannot start.',
    check: [
      'concurrent executions of the account and their quota',
      'which functions run: those of this stage, or another application',
      'a flood of requests: the access log by `caller`',
    ],
  },
  concurrencyNear: {
    severity: 'day',
    title: 'Concurrency is nearly exhausted',
    condition: 'All concurrent executions of the account reached 80 % of `concurrency` in two periods of 5 minutes.',
    impact: 'None yet. At the quota, Lambda throttles functions.',
    check: [
      'which functions run, on the dashboard: this stage, or another application',
      'the quota in Service Quotas; request a higher one',
      'whether requests became slower and so overlap more',
    ],
  },
  tableThrottles: {
    severity: 'day',
    title: 'DynamoDB throttles requests',
    condition:
      'At least 100 requests to a table or index were throttled in each of three periods of 5 minutes. Bursts are retried.',
    impact: 'All callers whose requests use the table get slower responses.',
    check: [
      'which table or index, on the dashboard',
      'one hot key (a very large topic) or the whole table',
      'account quotas, and `warmWritesPerSecond` before the next large event',
    ],
  },
  mailBounces: {
    severity: 'day',
    title: 'Mails bounce',
    condition: 'The bounce rate of the account reached 5 %. SES reviews the account at 5 % and stops sending at 10 %.',
    impact: 'All email subscribers, if SES suspends the account.',
    check: [
      'the lines `mail feedback` with `Bounce`: one domain, or many',
      'who subscribes invalid addresses: the log lines of `subscribe` by `caller`',
      'whether another application sends from this account',
    ],
  },
  mailComplaints: {
    severity: 'day',
    title: 'Recipients report mails as spam',
    condition:
      'The complaint rate of the account reached 0.1 %. SES reviews the account at 0.1 % and stops sending at 0.5 %.',
    impact: 'All email subscribers, if SES suspends the account.',
    check: [
      'the lines `mail feedback` with `Complaint`',
      'who subscribes people who never asked for it: the log lines of `subscribe` by `caller`',
      'whether another application sends from this account',
    ],
  },
  mailQuota: {
    severity: 'day',
    title: 'The mail quota is nearly used up',
    condition: 'The account sent 80 % of `emailsPerDay` within a day.',
    impact: 'Email subscribers, once the quota is used up: mails then wait until SES sends again.',
    check: [
      'the quota in the SES console; request a higher one',
      'which events were published to email subscribers',
      'whether another application sends from this account',
    ],
  },
  certificateNear: {
    severity: 'day',
    title: 'The certificate expires soon',
    condition: 'The certificate expires in less than 30 days. ACM starts renewals 60 days before, so a renewal failed.',
    impact: 'None yet. Once the certificate has expired, all callers fail.',
    check: [
      'the renewal status of the certificate in ACM',
      'whether the DNS record that ACM validates still exists',
      'whether the certificate was imported: ACM does not renew imported certificates',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
