import { deliveryAttempted } from '../contract/log-lines.ts';
import { logDebug } from './log.ts';

export const onAttempted = (
  messageId: string,
  subscription: string,
  attempt: number,
  outcome: { class: string; status?: number | undefined; tookMs?: number | undefined },
) => {
  const { class: kind, status, tookMs: milliseconds } = outcome;
  logDebug(deliveryAttempted, { messageId, subscription, attempt, class: kind, status, milliseconds });
};
