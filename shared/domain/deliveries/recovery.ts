import * as z from 'zod/mini';

/**
 * A time range that includes its start and end. All times are in RFC 3339 format, in UTC and with milliseconds, so that
 * they can be compared as strings.
 */
const part = z.object({ from: z.string(), to: z.string() });
type Part = z.infer<typeof part>;

/** The recovery of a subscription. */
export const recoveryRow = z.object({
  stepId: z.string(),
  since: z.string(),
  until: z.string(),
  /** The part of the range that is in progress (undefined for the whole range), and the part that is finished. */
  pass: z.optional(part),
  passed: z.optional(part),
  place: z.optional(z.object({ timestamp: z.string(), messageId: z.string() })),
  sent: z.int(),
  idle: z._default(z.int(), 0),
  isOver: z._default(z.boolean(), false),
  isStuck: z._default(z.boolean(), false),
});
export type Recovery = z.infer<typeof recoveryRow>;
type Covered = z.input<typeof recoveryRow>;

const earliest = (one: string, other: string): string => (one < other ? one : other);
const latest = (one: string, other: string): string => (one > other ? one : other);

/** Returns the part in progress. */
export const passOf = ({ pass, since, until }: Pick<Covered, 'pass' | 'since' | 'until'>): Part =>
  pass ?? { from: since, to: until };

/**
 * Merges a new request into the current recovery. A recovery that is in progress finishes its current part first, so
 * that repeated requests do not delay that part. A stuck recovery continues with a new step.
 */
export function mergeRecovery(
  stands: Covered | undefined,
  asked: Pick<Covered, 'stepId' | 'since' | 'until'>,
): { readonly recovery: Omit<Covered, 'isStuck'>; readonly isBegun: boolean } {
  if (stands === undefined || stands.isOver) return { recovery: { ...asked, sent: 0, isOver: false }, isBegun: true };
  const { isStuck = false, ...rest } = stands;
  const since = earliest(stands.since, asked.since);
  const until = latest(stands.until, asked.until);
  const stepId = isStuck ? asked.stepId : stands.stepId;
  return { recovery: { ...rest, stepId, since, until, pass: passOf(stands) }, isBegun: isStuck };
}

/**
 * Returns the next part: first the range before the finished part, then the range after the finished part. Returns
 * undefined if no part is left.
 */
export function nextPass(
  recovery: Pick<Covered, 'pass' | 'passed' | 'since' | 'until'>,
): { readonly pass: Part; readonly passed: Part } | undefined {
  const { since, until, passed: before } = recovery;
  const pass = passOf(recovery);
  const passed = before ? { from: earliest(before.from, pass.from), to: latest(before.to, pass.to) } : pass;
  if (since < passed.from) return { pass: { from: since, to: passed.from }, passed };
  return passed.to < until ? { pass: { from: passed.to, to: until }, passed } : undefined;
}

export type StepEnd =
  | 'done'
  /** Too many deliveries are pending. */
  | 'full'
  /** The fan-out of the next message is not complete. */
  | 'unready'
  /** More messages follow. */
  | 'long';

const leastMs = 2000;
const unreadyMs = 60_000;
// The maximum is below 15 minutes, because the queue's alarm reports older messages.
const mostMs = 600_000;

/**
 * Returns the wait in milliseconds before the next step: 2 seconds, or one minute if the fan-out of the next message is
 * not complete. While too many deliveries are pending, the wait doubles with each step, up to 10 minutes. `idle` is the
 * number of these steps.
 */
export function recoveryWaitMs(is: StepEnd, idle: number): number {
  if (is === 'unready') return unreadyMs;
  if (is !== 'full') return leastMs;
  return Math.min(leastMs * 2 ** Math.max(0, idle - 1), mostMs);
}

/** The payload for the next step of a recovery. If `stepId` is missing, the step id in the recovery row applies. */
export const recoveryPayload = z.object({ recoveryOf: z.string(), stepId: z.optional(z.string()) });
export type RecoveryPayload = z.infer<typeof recoveryPayload>;

/** The time range of a recovery (RFC 3339). */
export const recovery = z.object({ since: z.string(), until: z.string() });
