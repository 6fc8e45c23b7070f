import { publishEvent } from '../../shared/contract/endpoints/topics.ts';
import { publicationKey } from '../../shared/domain/deliveries/task-key.ts';
import { ledgerExpiry } from '../../shared/domain/deliveries/times.ts';
import { isLong, refer } from '../../shared/domain/messages/refer.ts';
import { nameUuid } from '../../shared/domain/name-uuid.ts';
import { checkEvent, isJson } from '../../shared/domain/topics/check-event.ts';
import { uuidOfTopic } from '../../shared/domain/topics/topic-uuid.ts';
import { keepEither } from '../../shared/lambda/keep-either.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
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
    // Of its own: under one Idempotency-Key the body of the first publication counts.
    bodyKey: isLong(bodyBase64) ? publicationId : undefined,
    timestamp: new Date(now()).toISOString(),
  };
  const expiresAt = ledgerExpiry(now(), settings.ledgerDays);
  // Where they could not be written, fan-out does it. The row says that the body is kept.
  const keepBody = notification.bodyKey === undefined ? undefined : messages.putBody(publicationId, bodyBase64);
  const writes = {
    queue: queues.fanOut.send({ payload: { publicationId, notification }, group: topic.uuid }),
    ledger: Promise.resolve(keepBody).then(() => ledger.open(refer(notification), publicationId, now(), expiresAt)),
  };
  const ids = { messageId: notification.messageId, taskKey: publicationKey };
  await keepEither(writes, ids, publishEvent.operation);
  return ok({ messageId: notification.messageId });
});
