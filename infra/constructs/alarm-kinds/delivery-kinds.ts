import type { AlarmKind } from './alarm-kind.ts';

export const deliveryKinds = {
  laneBlocked: {
    severity: 'now',
    title: 'A lane is blocked',
    condition:
      "A message waited in a queue for longer than the lane's limit. Emails that wait for the SES quota also raise this alarm.",
    impact: 'Messages in the queue reach subscribers or operators late.',
    check: [
      'check errors, throttling and concurrency of the functions that read the queue',
      'check whether `deliveries` and `subscriptions` are throttled',
      'check the number of published events (metric `EventsAccepted`)',
    ],
  },
  deadLetters: {
    severity: 'now',
    title: 'Dead letters',
    condition: 'A message reached the dead-letter queue after 50 attempts (at least 30 minutes).',
    impact: 'A subscriber or an operator is waiting for the message. The message is not lost.',
    check: [
      'read the log lines `failed` of the function that reads the queue',
      'check whether the deployed version can read messages from the previous version',
      'fix the cause, and move the messages back to their queue',
    ],
  },
  receiversFail: {
    severity: 'now',
    title: 'Many receivers fail at once',
    condition:
      'At least 20 first attempts, and at least 20 % of all first attempts, failed within 5 minutes. A single failing receiver cannot raise the alarm.',
    impact: 'Many subscribers receive events late. The cause is probably the registry, not the receivers.',
    check: [
      'check the `Attempts` metric by `Class`: `dns`, `connect` and `tls` indicate network problems, `http` indicates rejected requests',
      'check the connection to the internet: NAT, public addresses and DNS',
      'check whether the signing secret was rotated, and whether receivers reject signatures (`http` 400, 401)',
    ],
  },
  deliveriesFailed: {
    severity: 'day',
    title: 'Deliveries fail for good',
    condition: 'Within a day, at least 100 deliveries by one function failed after their last retry.',
    impact: 'Subscribers with failing receivers have missed events, but can recover them.',
    check: [
      'check whether the log lines `delivery failed` name one `subscription` or many',
      'check whether the failed deliveries have the same `class` and `status`',
      'inform the clients, and run `redeliver` when their receivers work again',
    ],
  },
  sweeperBehind: {
    severity: 'day',
    title: 'The sweeper is behind',
    condition: "In two consecutive 5-minute periods, the sweeper's oldest task was over an hour late.",
    impact: 'If a queue lost a retry, the subscriber waits longer. Queues rarely lose messages.',
    check: [
      'read the log line `performed` of `sweep`',
      'check the internal errors and the duration of `sweep`',
      'check the backlogs of the queues, because `sweep` postpones tasks that may still be in a queue',
    ],
  },
  importStuck: {
    severity: 'day',
    title: 'An import is stuck',
    condition: 'The current import made no progress for an hour. A chunk normally takes one or two seconds.',
    impact: 'Other imports wait until the current import finishes. No data is lost.',
    check: [
      'read the log lines `failed` of `importChanges`, and check the dead letters of `imports`',
      'check whether `persons` is throttled: `importWritesPerSecond` plus other writes may be too high',
      'to cancel the import, delete all versions of its file; the report then states how far the import got',
    ],
  },
  jobCrashes: {
    severity: 'day',
    title: 'A scheduled job crashes',
    condition: 'In two consecutive 5-minute periods, at least 3 runs timed out, ran out of memory or did not start.',
    impact: 'Subscribers and operators wait longer for the work of the job.',
    check: [
      "read Lambda's log lines at level ERROR in the log of the function",
      'check the latest deployment',
      'check whether memory use or duration reaches its limit, and whether tables are throttled',
    ],
  },
  sweepMissing: {
    severity: 'day',
    title: 'The sweeper does not run',
    condition: 'The sweeper, which runs every minute, did not run for 15 minutes.',
    impact: 'None, unless a queue loses a message. The sweeper finds the lost message when it runs again.',
    check: [
      'check that the EventBridge rule of `sweep` is enabled',
      'check whether Lambda throttles functions',
      'check whether the latest deployment completed',
    ],
  },
  journalNotExported: {
    severity: 'day',
    title: 'The journal is not exported',
    condition: 'For 3 consecutive hours, the export was at least 6 hours overdue, or no run reported its state.',
    impact: 'None yet. Rows stay in tables, where they are not locked, and rows of `deliveries` expire within a week.',
    check: [
      "read the internal errors in the job's log lines `failed`, and the hours `left` in its log lines `performed`",
      'check whether the job times out, and whether the `OldestDue` metric decreases, because a backlog takes many runs',
      'check whether the job can write to the bucket',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
