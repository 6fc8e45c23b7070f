import { wantedFrom } from '../../domain/deliveries/consent.ts';
import { ledgerExpiry } from '../../domain/deliveries/times.ts';
import { isoTime } from '../../domain/iso-time.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import type { RecoveryPayload } from '../../model/deliveries/recovery-payload.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { Queue } from '../../storage/queues/store.ts';

/** What it takes to have what a subscription missed delivered. */
export interface BeginTools {
  readonly ledger: ReturnType<typeof ledger.permissions.beginRecovery>;
  readonly queues: { readonly fanOut: Pick<Queue<RecoveryPayload>, 'send'> };
  readonly now: () => number;
  readonly newId: () => string;
  readonly settings: { readonly ledgerDays: number };
}

/** What was asked for a moment before the recovery is in the index by then. */
const firstStepSeconds = 5;

/**
 * Has everything delivered that a subscription has missed since a time (epoch milliseconds; without it, since its consent), as far back
 * as the ledger knows. Asked again while it is under way it goes on for longer. Answers what it covers (RFC 3339).
 */
export async function beginRecovery(
  subscription: StoredSubscription,
  since: number,
  { ledger, queues, now, newId, settings }: BeginTools,
): Promise<{ readonly since: string; readonly until: string }> {
  const { uuid } = subscription;
  const until = now();
  const from = Math.max(since, wantedFrom(subscription, until, settings.ledgerDays) ?? until);
  const asked = { since: isoTime(Math.min(from, until)), until: isoTime(until), stepId: newId() };
  const expiresAt = ledgerExpiry(until, settings.ledgerDays);
  const { recovery, isBegun } = await ledger.beginRecovery(uuid, asked, until, expiresAt);
  if (isBegun) {
    // Where this is lost the sweeper sends it.
    const payload = { recoveryOf: uuid, stepId: recovery.stepId };
    await queues.fanOut.send({ payload, group: uuid, delaySeconds: firstStepSeconds });
  }
  return { since: recovery.since, until: recovery.until };
}
