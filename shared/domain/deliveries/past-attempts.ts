import type { LedgerOutcome, PastAttempt } from '../../model/deliveries/outcome.ts';

/** How many attempts at a delivery are remembered, the last one included. */
export const mostAttempts = 10;

/** What is remembered of an outcome; undefined where its receiver had no part in it: it was moved, or held up by us. */
export function attemptOf(outcome: LedgerOutcome | undefined): PastAttempt | undefined {
  if (outcome === undefined || outcome.class === 'split' || outcome.isPostponed) return undefined;
  const { class: kind, status = null, at, tookMs = null } = outcome;
  return [kind, status, at, tookMs];
}

/** The attempts before the one that is made now, the oldest first: those remembered so far, and how the last one ended. */
export function pastAttempts(past: readonly PastAttempt[], last: LedgerOutcome | undefined): readonly PastAttempt[] {
  const attempt = attemptOf(last);
  return attempt === undefined ? past : [...past, attempt].slice(1 - mostAttempts);
}
