import { ClientError } from '../domain/client-errors.ts';
import { type FanOutPayload, isLongBody, withoutStoredBody } from '../domain/deliveries/message.ts';
import { deliveryExpiry } from '../domain/deliveries/times.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { isoTime } from '../domain/time.ts';
import type { StoredTopic } from '../domain/topics/topic.ts';
import type { MessageRow } from '../storage/deliveries/row-schemas.ts';
import type { deliveries } from '../storage/deliveries/store.ts';
import type { messages } from '../storage/messages/store.ts';
import type { Tools } from './tools.ts';

interface PublishTools extends Tools<'queues:fanOut', 'deliveryDays'> {
  readonly deliveries: Pick<ReturnType<typeof deliveries.permissions.publish>, 'createMessage' | 'getMessage'>;
  readonly messages?: ReturnType<typeof messages.permissions.write>;
  /** Waits for both writes, and fails only if both writes fail. Without this function, both must succeed. */
  readonly writeEither?: (
    writes: { readonly queue: Promise<unknown>; readonly deliveries: Promise<unknown> },
    messageId: string,
  ) => Promise<void>;
  /** Called once per message, and not again if the publication is repeated. */
  readonly onPublished: () => void;
}

interface Event {
  readonly subject: string | undefined;
  readonly contentType: string;
  readonly body: string;
  readonly publisher?: string | undefined;
  /** The message id for an event that may be published twice, so that both calls create the same message. */
  readonly messageId?: string | undefined;
  /** Identifies the subject and body of an event that has an Idempotency-Key. */
  readonly contentId?: string | undefined;
}

/**
 * Publishes an event: stores its message in the `deliveries` table and sends it to fan-out. Returns the message id.
 * @throws ClientError `idempotencyKeyReused` if the key was used for another event
 * @throws InternalError `keyUndecided` if it is unknown whether the key was used
 */
export async function publish(topic: StoredTopic, event: Event, tools: PublishTools): Promise<string> {
  const publicationId = tools.newId();
  const bodyBase64 = Buffer.from(event.body).toString('base64');
  const notification = {
    messageId: event.messageId ?? tools.newId(),
    topicUuid: topic.uuid,
    topicName: topic.name,
    topicTitle: topic.title,
    generation: topic.generation,
    subject: event.subject,
    contentType: event.contentType,
    bodyBase64,
    bodyKey: tools.messages !== undefined && isLongBody(bodyBase64) ? publicationId : undefined,
    publisher: event.publisher,
    timestamp: isoTime(tools.now()),
  };
  const { messageId } = notification;
  const created = createMessage({ publicationId, notification }, event.contentId, tools);
  const earlier = event.messageId === undefined ? undefined : await earlierMessage(created, messageId, event.contentId);
  // If the row has `shardBits`, fan-out has begun, and the payload stays in the queue until fan-out is complete.
  if (earlier?.shardBits !== undefined) return messageId;
  const payload = earlier === undefined ? { publicationId, notification } : publicationOf(earlier);
  const sent = tools.queues.fanOut.send({ payload, group: topic.uuid });
  if (tools.writeEither) await tools.writeEither({ queue: sent, deliveries: created }, messageId);
  else await Promise.all([sent, created]);
  if (earlier === undefined) tools.onPublished();
  return messageId;
}

/** Stores a long body, and then writes the message's row. Returns the row of an earlier publication, if any. */
export async function createMessage(
  { publicationId, notification }: FanOutPayload,
  contentId: string | undefined,
  { deliveries, messages, now, settings }: Pick<PublishTools, 'deliveries' | 'messages' | 'now' | 'settings'>,
): Promise<MessageRow | undefined> {
  const { messageId, bodyKey, bodyBase64 = '' } = notification;
  if (messages !== undefined && bodyKey !== undefined) {
    // Do not store the body of a repeated event again.
    const earlier = contentId === undefined ? undefined : await deliveries.getMessage(messageId);
    if (earlier !== undefined) return earlier;
    await messages.putBody(bodyKey, bodyBase64);
  }
  const message = { ...withoutStoredBody(notification), contentId };
  return deliveries.createMessage(message, publicationId, now(), deliveryExpiry(now(), settings.deliveryDays));
}

/** Waits for the write to the `deliveries` table, because only this table shows whether the message already exists. */
async function earlierMessage(
  created: Promise<MessageRow | undefined>,
  messageId: string,
  contentId: string | undefined,
): Promise<MessageRow | undefined> {
  if (contentId === undefined) return created;
  const earlier = await created.catch((error: unknown) => {
    throw new InternalError('keyUndecided', { messageId }, error);
  });
  if (earlier === undefined || earlier.contentId === contentId) return earlier;
  throw new ClientError(
    'idempotencyKeyReused',
    'idempotency-key was already used for an event with another body or subject: use a new key for each event',
  );
}

/** Returns the fan-out payload of a message with its first publication id, so that fan-out creates the same tasks. */
export function publicationOf(row: MessageRow): FanOutPayload {
  const { publicationId, contentId: _, shardBits: __, expiresAt: ___, ...notification } = row;
  return { publicationId, notification: withoutStoredBody(notification) };
}
