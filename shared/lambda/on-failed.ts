import { logInfo } from './log.ts';

/** The log line of a delivery that has failed for good; the stack counts it as a metric. */
export const deliveryFailed = 'delivery failed';

export const onFailed = (
  messageId: string,
  subscription: string,
  outcome: { class: string; status?: number | undefined },
) => logInfo(deliveryFailed, { messageId, subscription, class: outcome.class, status: outcome.status });
