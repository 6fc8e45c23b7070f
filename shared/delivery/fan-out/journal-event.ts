import type { publishEvent } from '../../contract/endpoints/topics.ts';
import type { ReferredNotification } from '../../domain/deliveries/message.ts';
import { lateAt } from '../../domain/journal/exported-hours.ts';
import { eventTypeOf } from '../../domain/topics/check-event.ts';
import { uinsOfEvent } from '../../domain/topics/uins-of-event.ts';
import { Fault } from '../../model/faults.ts';
import type { FanOutWholeTools } from '../engine/fan-out-tools.ts';

const operation: (typeof publishEvent)['operation'] = 'publishEvent';

/**
 * Tells the journal of whom an event told, if it is one of OSIA's 16: a row a person, the same rows each time within the hour
 * after its publication; those of a later one may have been exported, and are left as they are. Whom it was told to
 * stands in the ledger, by the message's id. Of an event whose long body is lost it tells who published what, and that is a fault.
 * @throws Fault `eventNotJournaled`
 */
export async function noteEvent(
  notification: ReferredNotification,
  tools: Pick<FanOutWholeTools, 'journal' | 'messages' | 'settings' | 'now' | 'onFault'>,
): Promise<void> {
  const { journal, messages, settings, now, onFault } = tools;
  const { messageId, subject, topicName, bodyKey, publisher = '', timestamp } = notification;
  const event = eventTypeOf(subject, topicName);
  if (event === undefined) return;
  const bodyBase64 = notification.bodyBase64 ?? (bodyKey && (await messages.bodyOf(bodyKey)));
  if (bodyBase64 === undefined) onFault(new Fault('missingBody', { messageId }));
  const uins = bodyBase64 === undefined ? [] : uinsOfEvent(event, Buffer.from(bodyBase64, 'base64').toString());
  const told = { operation, requestId: messageId, caller: publisher, event, topic: topicName };
  // It takes no row's place that says of whom.
  const isBare = uins.length === 0;
  const id = isBare ? `${messageId}#unread` : messageId;
  const rows = isBare ? [told] : uins.map((uin) => ({ ...told, uin }));
  const at = Date.parse(timestamp);
  const when = { at, lateAt: lateAt(at, now()), days: settings.journalDays };
  await journal.putMany({ id, rows, ...when }).catch((error: unknown) => {
    throw new Fault('eventNotJournaled', { messageId }, error);
  });
}
