import { deliveryFailed } from '../contract/log-lines.ts';
import { addMetric } from './emit-metrics.ts';
import { logInfo } from './logger.ts';

/** Logs and counts a delivery that has failed for good. */
export const onFailed = (
  messageId: string,
  subscription: string,
  outcome: { class: string; status?: number | undefined },
) => {
  logInfo(deliveryFailed, { messageId, subscription, class: outcome.class, status: outcome.status });
  addMetric('DeliveriesFailed');
};
