import { deliveryAttempted } from '../contract/log-lines.ts';
import { logDebug } from './log.ts';

/** Logs how an attempt to deliver ended, at level DEBUG. `attempt`: 0 is the first. */
export const onAttempted = (
  messageId: string,
  subscription: string,
  attempt: number,
  outcome: { class: string; status?: number | undefined; tookMs?: number | undefined },
) => {
  const { class: kind, status, tookMs: milliseconds } = outcome;
  logDebug(deliveryAttempted, { messageId, subscription, attempt, class: kind, status, milliseconds });
};
