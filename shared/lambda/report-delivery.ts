import { deliveryAttempted, deliveryFailed, internalErrorLogged } from '../contract/log-lines.ts';
import type { DeliveryOutcome } from '../domain/deliveries/outcome.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { isoTime } from '../domain/time.ts';
import { addMetric } from './emit-metrics.ts';
import { logDebug, logError, logInfo } from './logger.ts';

/**
 * Logs a delivery attempt at level DEBUG and counts it.
 * @param attempt the number of the attempt, from 0
 * @param lagMs the time from publication to the start of the first attempt; undefined for later attempts
 */
export const onAttempted = (
  messageId: string,
  subscription: string,
  attempt: number,
  outcome: Pick<DeliveryOutcome, 'class' | 'status' | 'code' | 'at' | 'tookMs'>,
  lagMs?: number,
) => {
  const { class: kind, status, code, tookMs: milliseconds } = outcome;
  const at = isoTime(outcome.at);
  logDebug(deliveryAttempted, { messageId, subscription, at, attempt, class: kind, status, code, milliseconds });
  addMetric('Attempts', 1, kind);
  if (kind === 'delivered' && milliseconds !== undefined) addMetric('DeliveryTime', milliseconds);
  if (lagMs === undefined) return;
  addMetric('FirstAttemptLag', lagMs);
  if (kind !== 'delivered') addMetric('FirstAttemptsFailed');
};

/** Logs and counts a delivery that has failed permanently. */
export const onFailed = (
  messageId: string,
  subscription: string,
  outcome: { class: string; status?: number | undefined; code?: string | undefined },
) => {
  const { class: kind, status, code } = outcome;
  logInfo(deliveryFailed, { messageId, subscription, class: kind, status, code });
  addMetric('DeliveriesFailed');
};

/**
 * Logs an email that SES rejected. A rejection caused by the recipient is not an internal error and raises no alarm.
 */
export const onMailError = (
  error: unknown,
  ids: { readonly messageId: string; readonly subscription: string },
  isInternal: boolean,
): void => logError(isInternal ? internalErrorLogged : 'SES rejected an email', error, ids);

/** Logs that the daily sending quota of SES is used up. */
export const onQuotaSpent = (worker: string): void =>
  logError(internalErrorLogged, new InternalError('mailQuotaSpent', { worker }), { worker });
