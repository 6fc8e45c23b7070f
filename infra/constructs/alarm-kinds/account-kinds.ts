import type { AlarmKind } from './alarm-kind.ts';

export const accountKinds = {
  lambdaThrottles: {
    severity: 'now',
    title: 'Lambda throttles functions',
    condition:
      'In two consecutive 5-minute periods, Lambda throttled at least 50 invocations. Invocations by other applications in the account count too.',
    impact: 'API clients receive status 500 when a function cannot start.',
    check: [
      "check the account's concurrent executions and quota",
      'check whether this stage or another application runs the functions',
      'group the access log by `caller` to check whether one client sends most requests',
    ],
  },
  concurrencyNear: {
    severity: 'day',
    title: 'Concurrency is nearly exhausted',
    condition:
      "In two consecutive 5-minute periods, the account's concurrent executions reached 80 % of `concurrency`.",
    impact: 'None yet. Lambda throttles functions when the concurrency reaches the quota.',
    check: [
      'check on the dashboard whether this stage or another application runs the functions',
      'check the quota in Service Quotas, and request a higher quota if needed',
      'check whether requests have become slower, because slow requests increase concurrency',
    ],
  },
  tableThrottles: {
    severity: 'day',
    title: 'DynamoDB throttles requests',
    condition:
      'In each of three consecutive 5-minute periods, at least 100 requests to a table or index were throttled. Short bursts do not raise the alarm.',
    impact: 'Requests that use the throttled table take longer.',
    check: [
      'find the throttled table or index on the dashboard',
      'check whether most requests concern one large topic or come from one client: group the access log by `caller`',
      "check the account's quotas; raise `warmWritesPerSecond`, or lower `searchRowsPerMinute`",
    ],
  },
  mailBounces: {
    severity: 'day',
    title: 'Emails bounce',
    condition: "The account's bounce rate reached 5 %. SES reviews the account at 5 % and stops sending at 10 %.",
    impact: 'None yet. If SES suspends the account, email subscribers receive nothing.',
    check: [
      'check whether the log lines `mail feedback` with `Bounce` name one domain or several',
      'group the log lines of `subscribe` by `caller` to find the client that subscribes invalid addresses',
      'check whether another application sends emails from this account',
    ],
  },
  mailComplaints: {
    severity: 'day',
    title: 'Recipients report emails as spam',
    condition:
      "The account's complaint rate reached 0.1 %. SES reviews the account at 0.1 % and stops sending at 0.5 %.",
    impact: 'None yet. If SES suspends the account, email subscribers receive nothing.',
    check: [
      'read the log lines `mail feedback` with `Complaint`',
      'group the log lines of `subscribe` by `caller` to find the client that subscribes people without consent',
      'check whether another application sends emails from this account',
    ],
  },
  mailQuota: {
    severity: 'day',
    title: 'The mail quota is nearly used up',
    condition: 'Within a day, the account sent 80 % of the number of emails in `emailsPerDay`.',
    impact: 'None yet. When the quota is used up, emails wait until SES accepts emails again.',
    check: [
      'check the quota in the SES console, and request a higher quota if needed',
      'check which events were published to email subscribers',
      'check whether another application sends emails from this account',
    ],
  },
  certificateNear: {
    severity: 'day',
    title: 'The certificate expires soon',
    condition:
      'The certificate expires within 30 days. ACM starts to renew a certificate 60 days before it expires, so the renewal has failed.',
    impact: 'None yet. After the certificate expires, all requests fail.',
    check: [
      "check the certificate's renewal status in ACM",
      'check that the DNS record that ACM uses to validate the domain still exists',
      'check whether the certificate was imported, because ACM does not renew imported certificates',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
