import { randomUUID } from 'node:crypto';
import { composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import type { Content } from '../../shared/domain/deliveries/message.ts';
import type { DeliveryTask } from '../../shared/domain/deliveries/task.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { subscriptionUuid } from '../../shared/domain/subscriptions/pending-subscription.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { composeToken, hashToken, tokenLifetimeMs } from '../../shared/domain/subscriptions/subscription-token.ts';
import { type StoredTopic, topicUuid } from '../../shared/domain/topics/topic.ts';

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;

/** Returns a notification in the form in which channels receive it. */
export const aMessage = (body: string | Uint8Array = '{}') =>
  composeMessage(aNotification(aTopic({ name: 'CR' })), Buffer.from(body as string).toString('base64'), settings);

/** The start time of test clocks, in epoch milliseconds. */
export const noon = Date.UTC(2024, 2, 1, 12);

export const aTopic = (given: Partial<StoredTopic> = {}): StoredTopic => {
  const name = given.name ?? `topic ${randomUUID()}x`;
  return { uuid: topicUuid(name), name, generation: randomUUID(), ...given };
};

/** The value of every secret in tests that run functions in the test process. */
export const secretOfTests = 'a secret of tests';

const naming = namingKey(secretOfTests, 'subscription ids');

/** Returns the confirmation token of a subscription that `aSubscription` created. */
export const tokenOf = (uuid: string, fill = 7): string => composeToken(uuid, new Uint8Array(32).fill(fill));

/** A confirmation request from noon. */
export const aRequest = (given: Partial<ConfirmationRequest> = {}): ConfirmationRequest => ({
  countdownSeconds: 60,
  maxRetries: 2,
  subjects: [],
  deliveryFormat: null,
  caller: 'client',
  messageId: randomUUID(),
  requestedAt: noon,
  expiresAt: noon + tokenLifetimeMs,
  ...given,
});

/** Returns a subscription to a topic. By default, the subscription is active. */
export const aSubscription = (
  topic: StoredTopic = aTopic(),
  given: Partial<StoredSubscription> = {},
): StoredSubscription => {
  const protocol = given.protocol ?? 'http';
  const address = given.address ?? `http://receiver.example/${randomUUID()}`;
  const uuid = given.uuid ?? subscriptionUuid(naming, topic.uuid, protocol, address);
  return {
    uuid,
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    protocol,
    address,
    countdownSeconds: 60,
    maxRetries: 2,
    subjects: [],
    deliveryFormat: null,
    isActive: true,
    owner: 'client',
    requests: {
      [hashToken(tokenOf(uuid))]: aRequest({
        countdownSeconds: given.countdownSeconds ?? 60,
        maxRetries: given.maxRetries ?? 2,
        subjects: given.subjects ?? [],
      }),
    },
    createdAt: noon,
    ...given,
  };
};

type NotificationContent = Content & { type: 'Notification' };
type ConfirmationContent = Content & { type: 'SubscriptionConfirmation' };

export const aNotification = (
  topic: StoredTopic = aTopic(),
  given: Partial<NotificationContent> & { body?: string | Uint8Array } = {},
): NotificationContent => {
  const { body = '{"source":"CR","uin":"123"}', ...rest } = given;
  return {
    type: 'Notification',
    messageId: randomUUID(),
    topicUuid: topic.uuid,
    topicName: topic.name,
    generation: topic.generation,
    contentType: 'application/json',
    bodyBase64: Buffer.from(body as string).toString('base64'),
    timestamp: new Date(noon).toISOString(),
    ...rest,
  };
};

export const aConfirmation = (
  subscription: StoredSubscription,
  given: Partial<ConfirmationContent> = {},
): ConfirmationContent => ({
  type: 'SubscriptionConfirmation',
  messageId: randomUUID(),
  topicUuid: subscription.topicUuid,
  topicName: subscription.topicName,
  token: tokenOf(subscription.uuid),
  timestamp: new Date(noon).toISOString(),
  ...given,
});

/** Returns a task for a first attempt to deliver content to subscriptions with the same protocol. */
export const aTask = (
  content: Content,
  subscriptions: readonly StoredSubscription[],
  given: Partial<DeliveryTask> = {},
): DeliveryTask => ({
  taskKey: '00#000000#http',
  protocol: subscriptions[0]?.protocol ?? 'http',
  isSingle: false,
  attempt: 0,
  shardBits: 0,
  subscriptionUuids: subscriptions.map(({ uuid }) => uuid),
  content,
  ...given,
});
