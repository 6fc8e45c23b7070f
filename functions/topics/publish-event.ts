import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { publish } from '../../shared/delivery/publish.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { publicationKey } from '../../shared/domain/deliveries/task.ts';
import { nameUuid } from '../../shared/domain/name-uuid.ts';
import { checkEvent, isJson } from '../../shared/domain/topics/check-event.ts';
import { rejectReservedTopic, uuidOfTopic } from '../../shared/domain/topics/topic.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { writeEither } from '../../shared/lambda/write-either.ts';
import { deliveries } from '../../shared/storage/deliveries/store.ts';
import { messages } from '../../shared/storage/messages/store.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

const stores = [topics, deliveries, messages, queues] as const;

export const handler = serve(publishEvent, stores, async ({ path, query, headers, body, caller, client }, tools) => {
  const uuid = uuidOfTopic(path.uuid);
  rejectReservedTopic(uuid);
  const topic = await tools.topics.get(uuid);
  if (topic === undefined) {
    throw new ClientError('unknownTopicName', 'no topic has this uuid or name; create it with POST /v1/topics?name=');
  }
  checkEvent(query.subject, topic.name, body);
  const key = headers['idempotency-key'];
  const event = {
    subject: query.subject,
    contentType: isJson(body) ? 'application/json' : 'text/plain; charset=utf-8',
    body,
    publisher: client,
    messageId: key === undefined ? undefined : nameUuid('message', topic.uuid, topic.generation, caller, key),
    contentId: key === undefined ? undefined : nameUuid('content', query.subject ?? '', body),
  };
  const messageId = await publish(topic, event, {
    ...tools,
    onPublished: () => addMetric('EventsAccepted'),
    writeEither: (writes, messageId) =>
      writeEither(writes, { messageId, taskKey: publicationKey }, publishEvent.operation),
  });
  return ok({ messageId });
});
