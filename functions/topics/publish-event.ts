import { publishEvent } from '../../shared/contract/endpoints/topics.ts';
import { publicationOf } from '../../shared/delivery/engine/publication-of.ts';
import { publicationKey } from '../../shared/domain/deliveries/task-key.ts';
import { ledgerExpiry } from '../../shared/domain/deliveries/times.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { isLong, refer } from '../../shared/domain/messages/refer.ts';
import { nameUuid } from '../../shared/domain/name-uuid.ts';
import { checkEvent, isJson } from '../../shared/domain/topics/check-event.ts';
import { uuidOfTopic } from '../../shared/domain/topics/topic-uuid.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { keepEither } from '../../shared/lambda/keep-either.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Fault } from '../../shared/model/faults.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import type { MessageRow } from '../../shared/storage/deliveries/row-schemas.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

const stores = [topics, ledger, messages, queues] as const;

export const handler = serve(publishEvent, stores, async ({ path, query, headers, body, caller, client }, tools) => {
  const { topics, ledger, messages, queues, newId, now, settings } = tools;
  const topic = await topics.get(uuidOfTopic(path.uuid));
  if (topic === undefined) {
    throw new Refusal('unknownTopicName', 'no topic has this uuid or name; create it with POST /v1/topics?name=');
  }
  checkEvent(query.subject, topic.name, body);
  const key = headers['idempotency-key'];
  const publicationId = newId();
  const bodyBase64 = Buffer.from(body).toString('base64');
  const notification = {
    messageId: key === undefined ? newId() : nameUuid('message', topic.uuid, topic.generation, caller, key),
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    subject: query.subject,
    contentType: isJson(body) ? 'application/json' : 'text/plain; charset=utf-8',
    bodyBase64,
    bodyKey: isLong(bodyBase64) ? publicationId : undefined,
    publisher: client,
    timestamp: isoTime(now()),
  };
  const { messageId } = notification;
  const contentId = key === undefined ? undefined : nameUuid('content', query.subject ?? '', body);
  const open = () =>
    ledger.open({ ...refer(notification), contentId }, publicationId, now(), ledgerExpiry(now(), settings.ledgerDays));
  const openLong = async () => {
    // Else the body of what is refused, or was published before, would be kept for nothing.
    const earlier = contentId === undefined ? undefined : await ledger.message(messageId);
    if (earlier !== undefined) return earlier;
    // The row says that the body is kept.
    await messages.putBody(publicationId, bodyBase64);
    return open();
  };
  const opening = notification.bodyKey === undefined ? open() : openLong();
  const earlier = contentId === undefined ? undefined : await earlierUnderKey(opening, contentId, messageId);
  // Fan-out has begun: the queue holds it until it is done.
  if (earlier?.bits !== undefined) return ok({ messageId });
  const payload = earlier === undefined ? { publicationId, notification } : publicationOf(earlier);
  const sending = queues.fanOut.send({ payload, group: topic.uuid });
  await keepEither({ queue: sending, ledger: opening }, { messageId, taskKey: publicationKey }, publishEvent.operation);
  if (earlier === undefined) addMetric('EventsAccepted');
  return ok({ messageId });
});

/**
 * What was published under this key before, the same. Only the ledger can say it, and one call alone can open its row:
 * so with a key it comes first, and must not fail.
 */
async function earlierUnderKey(
  opening: Promise<MessageRow | undefined>,
  contentId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  const earlier = await opening.catch((error: unknown) => {
    throw new Fault('keyUndecided', { messageId }, error);
  });
  if (earlier !== undefined && earlier.contentId !== contentId)
    throw new Refusal(
      'idempotencyKeyReused',
      'idempotency-key was used with another body or subject, which was published: another event needs a key of its own',
    );
  return earlier;
}
