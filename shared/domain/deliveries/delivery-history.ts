import type { StoredSubscription } from '../subscriptions/subscription.ts';
import { isUuid } from '../text.ts';
import { dayMs } from '../time.ts';
import { reconcileAfterMs } from './times.ts';

type Consenting = Pick<StoredSubscription, 'confirmedAt'>;

/**
 * Returns the time (epoch milliseconds) from which a subscription is entitled to messages. Messages count from the
 * first confirmation, but at most from `deliveryDays` ago. Returns undefined before the first confirmation.
 */
export const wantedFrom = ({ confirmedAt }: Consenting, now: number, deliveryDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt, now - deliveryDays * dayMs);

/**
 * Returns the time from which messages are listed: 10 minutes before the confirmation, because a fan-out may be late.
 */
export const visibleFrom = ({ confirmedAt }: Consenting, now: number, deliveryDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt - reconcileAfterMs, now - deliveryDays * dayMs);

/** A position in the list of a topic's messages. `timestamp` is RFC 3339. */
export interface HistoryPosition {
  readonly timestamp: string;
  readonly messageId: string;
}

export const formatCursor = ({ timestamp, messageId }: HistoryPosition): string =>
  Buffer.from(`${timestamp}/${messageId}`).toString('base64url');

/** Parses a cursor. Returns undefined if the text is not a cursor. */
export function parseCursor(cursor: string): HistoryPosition | undefined {
  const [timestamp = '', messageId = ''] = Buffer.from(cursor, 'base64url').toString().split('/');
  const isTime = !Number.isNaN(Date.parse(timestamp)) && new Date(timestamp).toISOString() === timestamp;
  return isTime && isUuid(messageId) ? { timestamp, messageId } : undefined;
}
