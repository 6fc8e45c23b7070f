import * as z from 'zod/mini';
import { referredNotification } from '../../domain/deliveries/message.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';
import { ledgerOutcome, pastAttempt } from '../../model/deliveries/outcome.ts';
import { keptOutcomes } from './kept-outcomes.ts';

/** The row of a message beside its tasks: what was published when, and how its tasks were partitioned. */
export const messageRow = z.object({
  ...referredNotification.shape,
  publicationId: z.string(),
  /** Of one under an Idempotency-Key: what was published, which the key stands for from now on. */
  contentId: z.optional(z.string()),
  /** Leading bits of the uuid that choose a subscription's task; missing until fan-out has begun. */
  bits: z.optional(z.int()),
  /** Epoch seconds. */
  expiresAt: z.int(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** The row of a task for several subscriptions: who was told, and when. */
export const taskRow = z.object({
  taskKey: z.string(),
  state: z.enum(['claimed', 'recorded']),
  leaseId: z.string(),
  leaseUntil: z.int(),
  outcomes: keptOutcomes,
  /** What follows from the outcomes was done. */
  isFollowed: z._default(z.boolean(), false),
});
export type TaskRow = z.infer<typeof taskRow>;

/** What the sweeper notes in a row, be it a subscription's or a message's own. */
export const looked = {
  /** How often it was sent again since its last outcome. */
  resumes: z._default(z.int(), 0),
  /** It was put off once until its lane had served what it held then. */
  isPutOff: z._default(z.boolean(), false),
  /** Of a message's own row: the protocols that its last audit has left out. */
  leftOut: z._default(z.readonly(z.array(z.enum(protocols))), []),
  /** It was sent again too often: it rests until an operator has it redelivered. */
  isStuck: z._default(z.boolean(), false),
};
/** The names of what the sweeper notes, which an outcome ends. */
export const lookedNames: readonly string[] = Object.keys(looked);

/** The row of one subscription's own task. Times are epoch milliseconds. */
export const singleRow = z.object({
  messageSlice: z.string(),
  messageId: z.string(),
  taskKey: z.string(),
  state: z.enum(['waiting', 'claimed', 'delivered', 'failed', 'dropped']),
  /** The last attempt that was claimed; -1 before the first. */
  attempt: z.int(),
  /** The attempt that the policy counts from: redelivery by an operator begins anew. */
  base: z._default(z.int(), 0),
  protocol: z.enum(protocols),
  leaseId: z.optional(z.string()),
  outcome: z.optional(ledgerOutcome),
  /** The attempts before it. */
  past: z._default(z.readonly(z.array(pastAttempt)), []),
  /** What follows from the outcome was done. */
  isFollowed: z._default(z.boolean(), false),
  ...looked,
});
export type SingleRow = z.infer<typeof singleRow>;

/** What the sweeper's index shows of a row: a single row, or the message's own. */
export const dueRow = z.object({
  messageSlice: z.string(),
  messageId: z.string(),
  taskKey: z.string(),
  sweepShard: z.string(),
  sweepAt: z.string(),
  state: z.optional(z.enum(['waiting', 'claimed', 'delivered', 'failed', 'dropped'])),
  attempt: z._default(z.int(), 0),
  base: z._default(z.int(), 0),
  protocol: z.optional(z.enum(protocols)),
  isConfirmation: z._default(z.boolean(), false),
  ...looked,
});
export type DueRow = z.infer<typeof dueRow>;

/** What deferring asks of a row. */
export const waitingRow = z.object({ state: z.string(), attempt: z.int(), notBefore: z.optional(z.int()) });

/** A message's own row, as far as a log tells of it: never its body. */
export const loggedMessage = z.pick(messageRow, {
  messageId: true,
  generation: true,
  subject: true,
  topicName: true,
  timestamp: true,
  bits: true,
});
export type LoggedMessage = z.infer<typeof loggedMessage>;

export const loggedSingle = z.object({
  ...z.pick(singleRow, {
    messageSlice: true,
    messageId: true,
    taskKey: true,
    state: true,
    attempt: true,
    protocol: true,
    outcome: true,
    past: true,
    isStuck: true,
  }).shape,
  notBefore: z.optional(z.int()),
});
export type LoggedSingle = z.infer<typeof loggedSingle>;

const part = z.object({ from: z.string(), to: z.string() });

/** How far the recovery of a subscription has come. Times are RFC 3339. */
export const recoveryRow = z.object({
  /** Of the step that is to be made next: a payload of another does nothing. */
  stepId: z.string(),
  /** What was published from then on, until then. */
  since: z.string(),
  until: z.string(),
  /** The part of it that is being passed over (without it, the whole), and what was passed over before. */
  pass: z.optional(part),
  passed: z.optional(part),
  /** The last message that was looked at. */
  place: z.optional(z.object({ timestamp: z.string(), messageId: z.string() })),
  /** How many it has had delivered. */
  sent: z.int(),
  /** How many steps in a row have found no room. */
  idle: z._default(z.int(), 0),
  isOver: z._default(z.boolean(), false),
  isStuck: looked.isStuck,
});
export type Recovery = z.infer<typeof recoveryRow>;
