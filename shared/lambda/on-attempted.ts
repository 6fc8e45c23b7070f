import { deliveryAttempted } from '../contract/log-lines.ts';
import type { LedgerOutcome } from '../model/deliveries/outcome.ts';
import { addMetric } from './emit-metrics.ts';
import { logDebug } from './logger.ts';

/**
 * Logs how an attempt to deliver ended, at level DEBUG, and counts it. `attempt`: 0 is the first. `lagMs`: from the publication to
 * the beginning of an event's first attempt, undefined of any other.
 */
export const onAttempted = (
  messageId: string,
  subscription: string,
  attempt: number,
  outcome: Pick<LedgerOutcome, 'class' | 'status' | 'tookMs'>,
  lagMs?: number,
) => {
  const { class: kind, status, tookMs: milliseconds } = outcome;
  logDebug(deliveryAttempted, { messageId, subscription, attempt, class: kind, status, milliseconds });
  addMetric('Attempts', 1, kind);
  if (kind === 'delivered' && milliseconds !== undefined) addMetric('DeliveryTime', milliseconds);
  if (lagMs === undefined) return;
  addMetric('FirstAttemptLag', lagMs);
  if (kind !== 'delivered') addMetric('FirstAttemptsFailed');
};
