import type { publishEvent } from '../../contract/endpoints/topics-endpoints.ts';
import type { CarriedNotification } from '../../domain/deliveries/message.ts';
import { InternalError } from '../../domain/internal-errors.ts';
import { lateAt } from '../../domain/journal/exported-hours.ts';
import { eventTypeOf, uinsOfEvent } from '../../domain/topics/check-event.ts';
import type { FanOutMessageTools } from './send-tasks.ts';

const operation: (typeof publishEvent)['operation'] = 'publishEvent';

/**
 * Journals the persons of an OSIA event: one row per person. A repeat within an hour writes the same rows; later rows
 * go to the current hour, because the earlier hour may be exported already. If the long body is lost, one row without a
 * person is written.
 * @throws InternalError `eventNotJournaled`
 */
export async function journalEvent(
  notification: CarriedNotification,
  tools: Pick<FanOutMessageTools, 'journal' | 'messages' | 'settings' | 'now' | 'onError'>,
): Promise<void> {
  const { journal, messages, settings, now, onError } = tools;
  const { messageId, subject, topicName, bodyKey, publisher = '', timestamp } = notification;
  const event = eventTypeOf(subject, topicName);
  if (event === undefined) return;
  const bodyBase64 = notification.bodyBase64 ?? (bodyKey && (await messages.getBody(bodyKey)));
  if (bodyBase64 === undefined) onError(new InternalError('missingBody', { messageId }));
  const uins = bodyBase64 === undefined ? [] : uinsOfEvent(event, Buffer.from(bodyBase64, 'base64').toString());
  const told = { operation, requestId: messageId, caller: publisher, event, topic: topicName };
  // This row has its own id, so that it replaces no row with a person.
  const isBare = uins.length === 0;
  const id = isBare ? `${messageId}#unread` : messageId;
  const rows = isBare ? [told] : uins.map((uin) => ({ ...told, uin }));
  const at = Date.parse(timestamp);
  const when = { at, lateAt: lateAt(at, now()), days: settings.journalDays };
  await journal.putMany({ id, rows, ...when }).catch((error: unknown) => {
    throw new InternalError('eventNotJournaled', { messageId }, error);
  });
}
