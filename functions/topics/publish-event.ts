import { publishEvent } from '../../shared/contract/endpoints/topics.ts';
import { publicationKey } from '../../shared/domain/deliveries/task-key.ts';
import { ledgerExpiry } from '../../shared/domain/deliveries/times.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { isLong, refer } from '../../shared/domain/messages/refer.ts';
import { nameUuid } from '../../shared/domain/name-uuid.ts';
import { checkEvent, isJson } from '../../shared/domain/topics/check-event.ts';
import { uuidOfTopic } from '../../shared/domain/topics/topic-uuid.ts';
import { keepEither } from '../../shared/lambda/keep-either.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Fault } from '../../shared/model/faults.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { ledger } from '../../shared/storage/deliveries/ledger.ts';
import { messages } from '../../shared/storage/messages/messages.ts';
import { queues } from '../../shared/storage/queues/queues.ts';
import { topics } from '../../shared/storage/topics/topics.ts';

const stores = [topics, ledger, messages, queues] as const;

export const handler = serve(publishEvent, stores, async ({ path, query, headers, body, caller }, tools) => {
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
    timestamp: isoTime(now()),
  };
  const { messageId } = notification;
  const contentId = key === undefined ? undefined : nameUuid('content', query.subject ?? '', body);
  const expiresAt = ledgerExpiry(now(), settings.ledgerDays);
  // The row says that the body is kept.
  const keepBody = notification.bodyKey === undefined ? undefined : messages.putBody(publicationId, bodyBase64);
  const opening = Promise.resolve(keepBody).then(() =>
    ledger.open({ ...refer(notification), contentId }, publicationId, now(), expiresAt),
  );
  if (contentId !== undefined && (await isPublished(opening, contentId, messageId))) return ok({ messageId });
  const sending = queues.fanOut.send({ payload: { publicationId, notification }, group: topic.uuid });
  await keepEither({ queue: sending, ledger: opening }, { messageId, taskKey: publicationKey }, publishEvent.operation);
  return ok({ messageId });
});

/**
 * Whether the same was published under this key before. Only the ledger can say it, and one call alone can open its row:
 * so with a key it comes first, and must not fail.
 */
async function isPublished(
  opening: Promise<{ contentId?: string | undefined } | undefined>,
  contentId: string,
  messageId: string,
): Promise<boolean> {
  const earlier = await opening.catch((error: unknown) => {
    throw new Fault('keyUndecided', { messageId }, error);
  });
  if (earlier !== undefined && earlier.contentId !== contentId)
    throw new Refusal(
      'idempotencyKeyReused',
      'idempotency-key was used with another body or subject, which was published: another event needs a key of its own',
    );
  return earlier !== undefined;
}
