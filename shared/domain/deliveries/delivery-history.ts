import type { StoredSubscription } from '../subscriptions/subscription.ts';
import { isUuid } from '../text.ts';
import { dayMs } from '../time.ts';
import { reconcileAfterMs } from './times.ts';

type Consenting = Pick<StoredSubscription, 'confirmedAt'>;

/**
 * Returns the time (epoch milliseconds) from which a subscription is entitled to messages. This is the time of the
 * first confirmation, or `deliveryDays` ago if that is later. Returns undefined if the subscription was never
 * confirmed.
 */
export const wantedFrom = ({ confirmedAt }: Consenting, now: number, deliveryDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt, now - deliveryDays * dayMs);

/**
 * Returns the time (epoch milliseconds) from which messages are listed. The list starts 10 minutes before the first
 * confirmation, because a fan-out may be late, or `deliveryDays` ago if that is later.
 */
export const visibleFrom = ({ confirmedAt }: Consenting, now: number, deliveryDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt - reconcileAfterMs, now - deliveryDays * dayMs);

/** A position in the list of a topic's messages. `timestamp` is an RFC 3339 time. */
export interface HistoryPosition {
  readonly timestamp: string;
  readonly messageId: string;
}

export const formatCursor = ({ timestamp, messageId }: HistoryPosition): string =>
  Buffer.from(`${timestamp}/${messageId}`).toString('base64url');

/** Parses a cursor. Returns undefined if the text is not a valid cursor. */
export function parseCursor(cursor: string): HistoryPosition | undefined {
  const [timestamp = '', messageId = ''] = Buffer.from(cursor, 'base64url').toString().split('/');
  const isTime = !Number.isNaN(Date.parse(timestamp)) && new Date(timestamp).toISOString() === timestamp;
  return isTime && isUuid(messageId) ? { timestamp, messageId } : undefined;
}
