import * as z from 'zod/mini';
import { type LedgerOutcome, ledgerOutcome, type PastAttempt, pastAttempt } from '../../model/deliveries/outcome.ts';

/**
 * By subscription, the outcomes in the row of a task for several. Most are deliveries, which a row keeps in as few bytes as may be:
 * the record of ten then takes one write unit, which is 1 KB.
 */
export const keptOutcomes = z._default(
  z.record(
    z.string(),
    z.union([
      ledgerOutcome,
      z.pipe(
        pastAttempt,
        z.transform(
          ([kind, status, at, tookMs]): LedgerOutcome => ({
            ...{ class: kind, at, next: 'none' },
            ...(status !== null && { status }),
            ...(tookMs !== null && { tookMs }),
          }),
        ),
      ),
    ]),
  ),
  {},
);

const keep = (outcome: LedgerOutcome): LedgerOutcome | PastAttempt =>
  outcome.class === 'delivered' && outcome.next === 'none'
    ? [outcome.class, outcome.status ?? null, outcome.at, outcome.tookMs ?? null]
    : outcome;

/** Outcomes as `keptOutcomes` reads them. */
export const toKept = (outcomes: Readonly<Record<string, LedgerOutcome>>) =>
  Object.fromEntries(Object.entries(outcomes).map(([uuid, outcome]) => [uuid, keep(outcome)]));
