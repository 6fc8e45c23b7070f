import type { AlarmKind } from './alarm-kind.ts';

export const deliveryKinds = {
  laneBlocked: {
    severity: 'now',
    title: 'A lane is blocked',
    condition:
      'A message waited in a queue for longer than its lane allows. Mails that wait for the SES quota raise it too.',
    impact: 'Subscribers and operators who wait for the work in this queue.',
    check: [
      'errors, throttles and concurrency of the functions that read the queue',
      'throttling of `deliveries` and `subscriptions`',
      'how many events arrive: the metric `EventsAccepted`',
    ],
  },
  deadLetters: {
    severity: 'now',
    title: 'Dead letters',
    condition: 'A message reached the dead-letter queue after 50 attempts (at least 30 minutes).',
    impact: 'Subscribers or operators who wait for this message. Nothing is lost.',
    check: [
      'the lines `failed` of the function that reads the queue',
      'the latest deployment: can this version read messages of the previous one',
      'after the fix: move the messages back',
    ],
  },
  receiversFail: {
    severity: 'now',
    title: 'Many receivers fail at once',
    condition:
      'At least 20 % of first attempts, and at least 20 of them, failed within 5 minutes. One failing receiver cannot trigger this alarm.',
    impact: 'Many subscribers receive events late. The common cause is probably on our side.',
    check: [
      'the metric `Attempts` by `Class`: `dns`, `connect` and `tls` point to the network, `http` to our requests',
      'the way to the Internet: NAT, its addresses, DNS',
      'the signing secret: whether it was rotated, and whether receivers reject signatures (`http` 400, 401)',
    ],
  },
  deliveriesFailed: {
    severity: 'day',
    title: 'Deliveries fail for good',
    condition: 'At least 100 deliveries of one function failed for good within a day, each after all its retries.',
    impact: 'Subscribers whose receivers failed for that long. They can recover the missed events.',
    check: [
      'the lines `delivery failed`: one `subscription`, or many',
      'whether they fail in the same way (`class`, `status`)',
      'which clients to inform; `redeliver` when their receivers work again',
    ],
  },
  sweeperBehind: {
    severity: 'day',
    title: 'The sweeper is behind',
    condition: 'Twice, the sweeper found work that was due an hour ago: it has more work than time.',
    impact: 'Subscribers whose retry was lost by a queue (very rare) wait longer for it.',
    check: [
      'the line `performed` of `sweep`',
      'its internal errors and its duration',
      'the backlogs of the queues, for which it waits',
    ],
  },
  importStuck: {
    severity: 'day',
    title: 'An import is stuck',
    condition: 'The current import made no progress for an hour. A chunk needs a second or two.',
    impact: 'Operators whose import files wait behind this one. Nothing is lost.',
    check: [
      'the lines `failed` of `importChanges`, and the dead letters of `imports`',
      'throttling of `persons`: `importWritesPerSecond` and other writes together',
      'to cancel the import, delete all versions of its file; the report states its progress',
    ],
  },
  jobCrashes: {
    severity: 'day',
    title: 'A scheduled job crashes',
    condition: 'At least 3 runs in 5 minutes timed out, ran out of memory or did not start, twice in a row.',
    impact: 'Subscribers and operators who depend on this job.',
    check: [
      'the lines of Lambda at level ERROR in the log of the function',
      'the latest deployment',
      'memory and duration compared with the limits, and throttling of the tables',
    ],
  },
  sweepMissing: {
    severity: 'day',
    title: 'The sweeper does not run',
    condition: 'The sweeper, which runs every minute, did not run for 15 minutes.',
    impact: 'None, unless a queue loses a message. The sweeper finds it only when it runs again.',
    check: [
      'its EventBridge rule: whether it is enabled',
      'throttling of Lambda',
      'whether the last deployment completed',
    ],
  },
  journalNotExported: {
    severity: 'day',
    title: 'The journal is not exported',
    condition: 'For 3 hours, the oldest hour to export was overdue by at least 6 hours, or no run reported it.',
    impact: 'None yet. Rows wait in tables, which are not locked, and those of `deliveries` expire within a week.',
    check: [
      'the lines `failed` and `performed` of the job: internal errors, or hours `left`',
      'its timeouts, and whether the metric `OldestDue` falls: a backlog needs many runs',
      'whether the bucket accepts its writes',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
