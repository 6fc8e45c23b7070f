import type { Content, ReferredNotification } from '../deliveries/message.ts';

/** A longer body (bytes) is kept by a key: what goes through the ledger and the queues names it only. */
const inlineBytes = 4096;

/** Whether a body is kept by a key of its own. */
export const isLong = (bodyBase64: string): boolean => Buffer.byteLength(bodyBase64, 'base64') > inlineBytes;

/** The message as the ledger and the queues carry it once its body is kept. */
export const refer = (notification: ReferredNotification): ReferredNotification =>
  notification.bodyKey === undefined ? notification : { ...notification, bodyBase64: undefined };

/** The message as its tasks carry it. */
export function referredContent(notification: ReferredNotification): Content {
  const { publisher: _, ...told } = refer(notification);
  return { type: 'Notification', ...told };
}
