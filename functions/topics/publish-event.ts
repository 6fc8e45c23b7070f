import { publishEvent } from '../../shared/contract/endpoints/topics.ts';
import { checkEvent, isJson } from '../../shared/domain/check-event.ts';
import { nameUuid, uuidOfTopic } from '../../shared/domain/name-uuid.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { fanOutQueue } from '../../shared/storage/queues.ts';
import { topics } from '../../shared/storage/topics.ts';

export const handler = serve(publishEvent, [topics, fanOutQueue], async (request, { topics, fanOut, newId, now }) => {
  const { path, query, headers, body, caller } = request;
  const topic = await topics.get(uuidOfTopic(path.uuid));
  if (topic === undefined) {
    throw new Refusal('unknownTopicName', 'no topic has this uuid or name; create it with POST /v1/topics?name=');
  }
  checkEvent(query.subject, topic.name, body);
  const key = headers['idempotency-key'];
  const notification = {
    messageId: key === undefined ? newId() : nameUuid('message', topic.uuid, topic.generation, caller, key),
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    subject: query.subject,
    contentType: isJson(body) ? 'application/json' : 'text/plain; charset=utf-8',
    bodyBase64: Buffer.from(body).toString('base64'),
    timestamp: new Date(now()).toISOString(),
  };
  await fanOut.send({ job: { jobId: newId(), notification }, group: topic.uuid });
  return ok({ messageId: notification.messageId });
});
