import { refer } from '../../domain/messages/refer.ts';
import type { FanOutPayload } from '../../model/deliveries/fan-out-payload.ts';
import type { MessageRow } from '../../storage/deliveries/row-schemas.ts';

/**
 * The publication that a message's row stands for, to be fanned out again. It is the one that opened the row, so that its tasks are
 * those that were sent before, and the claim of each lets one through.
 */
export function publicationOf(row: MessageRow): FanOutPayload {
  const { publicationId, contentId: _, bits: __, expiresAt: ___, ...notification } = row;
  return { publicationId, notification: refer(notification) };
}
