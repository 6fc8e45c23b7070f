import type { DeliveryFormat } from '../subscriptions/subscription.ts';
import type { Content } from './message.ts';

/** A composed message, with the headers that OSIA notification 1.2.0 defines. */
export interface ComposedMessage
  extends Readonly<Pick<Content, 'messageId' | 'type' | 'topicName' | 'topicTitle' | 'timestamp'>> {
  readonly subject: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The published body without an envelope. Undefined for a confirmation request. */
  readonly published: { readonly contentType: string; readonly body: Buffer } | undefined;
  readonly isTest?: boolean;
  readonly baseUrl: string;
  readonly confirmation: { readonly token: string } | undefined;
}

/**
 * Percent-encodes percent signs and all characters outside printable ASCII, so that receivers can always decode the
 * result.
 */
const headerText = (text: string): string => text.replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);

const toJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const confirmationBody = (content: Content & { type: 'SubscriptionConfirmation' }, url: string): Buffer =>
  toJson({
    type: content.type,
    token: content.token,
    topic: content.topicName,
    message: `You have chosen to subscribe to the topic ${content.topicName}. To confirm, call the confirmURL.`,
    messageId: content.messageId,
    subject: 'Confirm your subscription',
    subscribeURL: url,
    confirmURL: url,
    timestamp: content.timestamp,
  });

/** Returns the OSIA Message object that is sent if `deliveryFormat` is `envelope`. */
const envelope = (content: Content & { type: 'Notification' }, body: Buffer): Buffer =>
  toJson({
    type: content.type,
    topic: content.topicName,
    message: body.toString('utf8'),
    messageId: content.messageId,
    // OSIA requires a subject.
    subject: content.subject ?? '',
    timestamp: content.timestamp,
  });

/**
 * Composes one message for the subscriptions of a task that use the same format. The sender adds the header
 * `subscription-id`.
 */
export function composeMessage(
  content: Content,
  bodyBase64: string,
  settings: { readonly baseUrl: string; readonly deliveryFormat: DeliveryFormat },
): ComposedMessage {
  const { messageId, topicUuid, topicName, topicTitle, timestamp } = content;
  const subject = content.type === 'Notification' ? content.subject : 'Confirm your subscription';
  const headers = {
    'message-type': content.type,
    'message-id': messageId,
    'topic-id': topicUuid,
    ...(content.type === 'Notification' && subject !== undefined ? { subject: headerText(subject) } : {}),
  };
  const baseUrl = settings.baseUrl.replace(/\/+$/, '');
  const message = { messageId, type: content.type, topicName, topicTitle, subject, timestamp, headers, baseUrl };
  if (content.type === 'SubscriptionConfirmation') {
    const url = `${baseUrl}/v1/subscriptions/confirm?token=${content.token}`;
    return {
      ...message,
      contentType: 'application/json',
      body: confirmationBody(content, url),
      published: undefined,
      confirmation: { token: content.token },
    };
  }
  const published = Buffer.from(bodyBase64, 'base64');
  const isEnveloped = settings.deliveryFormat === 'envelope';
  return {
    ...message,
    contentType: isEnveloped ? 'application/json' : content.contentType,
    body: isEnveloped ? envelope(content, published) : published,
    published: { contentType: content.contentType, body: published },
    ...(content.isTest && { isTest: true }),
    confirmation: undefined,
  };
}
