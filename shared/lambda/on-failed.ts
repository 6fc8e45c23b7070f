import { deliveryFailed } from '../contract/log-lines.ts';
import { logInfo } from './log.ts';

/** Logs that a delivery has failed for good; the stack counts these lines. */
export const onFailed = (
  messageId: string,
  subscription: string,
  outcome: { class: string; status?: number | undefined },
) => logInfo(deliveryFailed, { messageId, subscription, class: outcome.class, status: outcome.status });
