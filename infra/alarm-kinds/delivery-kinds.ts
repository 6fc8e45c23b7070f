import type { AlarmKind } from './alarm-kind.ts';

/** Whether events go out, and the jobs of the clock run. */
export const deliveryKinds = {
  laneStands: {
    severity: 'now',
    title: 'A lane stands still',
    rings: 'something has waited in a queue for longer than the lane may take; mail that waits for its quota is as old',
    hurts: 'See the beginning of this text.',
    look: [
      'the errors, throttles and concurrency of the functions that read the queue',
      'throttling of `deliveries` and `subscriptions`',
      'how much comes in: the metric `EventsAccepted`',
    ],
  },
  deadLetters: {
    severity: 'now',
    title: 'Dead letters',
    rings: 'one message was put aside, which takes 50 tries and half an hour of faults of ours',
    hurts: 'Whoever waits for what was put aside. Nothing is lost.',
    look: [
      'the lines `failed` of the function that reads the queue',
      'what was deployed last: can this version read what the one before has sent',
      'once the cause is mended: move the messages back',
    ],
  },
  receiversFail: {
    severity: 'now',
    title: 'Many receivers fail at once',
    rings:
      'of first attempts to receivers that were well, a fifth and 20 at least failed within 5 minutes: one receiver alone fails once, and then goes by another lane',
    hurts: 'Subscribers: events reach many of them late. What they have in common is most likely ours.',
    look: [
      'the metric `Attempts` by `Class`: `dns`, `connect` and `tls` speak of the way out, `http` of what we send',
      'the way out: the NAT, its addresses, DNS',
      'the signing secret: was it rotated, do receivers refuse the signature (`http` 400, 401)',
    ],
  },
  deliveriesGivenUp: {
    severity: 'day',
    title: 'Deliveries are given up',
    rings: 'a function has given up 100 deliveries within a day, each after its whole policy',
    hurts: 'The subscribers whose receivers have failed for so long; they can recover what they missed.',
    look: [
      'the lines `delivery failed`: one `subscription`, or many',
      'whether they fail alike (`class`, `status`)',
      'whom to tell, and `redeliver` when they are back',
    ],
  },
  workIsLate: {
    severity: 'day',
    title: 'Due work is late',
    rings: 'the sweeper twice came to something that was due an hour ago: it has more to do than it can',
    hurts: 'Those whose retry was lost by a queue, which hardly ever happens, wait for it longer.',
    look: [
      'the line `performed` of `sweep`',
      'its faults and its duration',
      'the backlogs of the queues, which it waits for',
    ],
  },
  importStands: {
    severity: 'day',
    title: 'An import stands still',
    rings: 'the import that has its turn has not come further for an hour: a chunk takes a second or two',
    hurts: 'Whoever waits for changes by files: the others wait for their turn. Nothing is lost.',
    look: [
      'the lines `failed` of `importChanges`, and the dead letters of `imports`',
      'throttling of `persons`: `importWritesPerSecond` beside what else writes',
      'to end it where it is, delete its file in all versions: its report says how far it came',
    ],
  },
  jobCrashes: {
    severity: 'day',
    title: 'A job of the clock crashes',
    rings: '3 runs in 5 minutes ended by time-out, for want of memory or before they began, twice in a row',
    hurts: 'See the beginning of this text.',
    look: [
      'the lines of Lambda at level ERROR in the log of the function',
      'what was deployed last',
      'its memory and duration beside its limits, and throttling of the tables',
    ],
  },
  sweepMissing: {
    severity: 'day',
    title: 'The sweeper does not run',
    rings: 'no run within 15 minutes; there is one a minute',
    hurts: 'Nobody while the queues lose nothing; what they lose is not found again until it runs.',
    look: [
      'its clock, the rule of EventBridge: is it enabled',
      'throttling of Lambda',
      'whether the stack was deployed whole',
    ],
  },
  journalNotExported: {
    severity: 'day',
    title: 'The journal is not exported',
    rings:
      'for 3 hours every run found that the oldest hour of it, or of who was told of events, has been due for 6 hours or more, or there was no run that got so far',
    hurts:
      'Nobody yet: rows are in their tables only, which are not locked, until an export makes up for it. The ledger forgets within a week.',
    look: [
      'the lines `failed` and `performed` of the job that the alarm names: faults, or hours that are `left`',
      'its time-outs, and whether the metric `OldestDue` falls: a backlog takes many runs',
      'whether the bucket takes what it writes',
    ],
  },
} as const satisfies Record<string, AlarmKind>;
