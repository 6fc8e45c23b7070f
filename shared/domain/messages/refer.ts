import type { Content, ReferredNotification } from '../../model/deliveries/message.ts';

// A longer body is read from the ledger: what goes through the queues names the message only.
const inlineBytes = 4096;

/** The message as the queues carry it once the ledger has it. */
export function refer(notification: ReferredNotification): ReferredNotification {
  const isLong = Buffer.byteLength(notification.bodyBase64 ?? '', 'base64') > inlineBytes;
  return isLong ? { ...notification, bodyBase64: undefined } : notification;
}

/** The message as its tasks carry it. */
export const referredContent = (notification: ReferredNotification): Content => ({
  type: 'Notification',
  ...refer(notification),
});
