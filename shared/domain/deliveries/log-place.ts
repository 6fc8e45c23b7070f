import { isUuid } from '../text.ts';

/** A place among the messages of a topic: when (RFC 3339), and which of those of that moment. */
export interface Place {
  readonly timestamp: string;
  readonly messageId: string;
}

/** A place as a cursor that goes into a URL. */
export const cursorOf = ({ timestamp, messageId }: Place): string =>
  Buffer.from(`${timestamp}/${messageId}`).toString('base64url');

/** The place of a cursor; undefined for a text that is none. */
export function placeOf(cursor: string): Place | undefined {
  const [timestamp = '', messageId = ''] = Buffer.from(cursor, 'base64url').toString().split('/');
  const isTime = !Number.isNaN(Date.parse(timestamp)) && new Date(timestamp).toISOString() === timestamp;
  return isTime && isUuid(messageId) ? { timestamp, messageId } : undefined;
}
