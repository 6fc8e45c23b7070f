import type { KeyObject } from 'node:crypto';
import { keyedUuid } from '../name-uuid.ts';
import type { StoredTopic } from '../topics/topic.ts';
import { pendingExpiry } from './confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';

/** Returns a subscription's uuid, computed from its topic, protocol and normalised address. */
export const subscriptionUuid = (key: KeyObject, topic: string, protocol: string, address: string): string =>
  keyedUuid(key, 'subscription', topic, protocol, address);

/** Returns the values that a subscription takes from its latest request until its first confirmation. */
export const valuesOfRequest = (request: ConfirmationRequest) => ({
  countdownSeconds: request.countdownSeconds,
  maxRetries: request.maxRetries,
  subjects: request.subjects,
  deliveryFormat: request.deliveryFormat,
  owner: request.caller,
  callerHost: request.hostSlot?.id,
  expiresAt: pendingExpiry(request),
});

/** Creates an unconfirmed subscription whose first request is stored under the hash of the request's token. */
export const pendingSubscription = (
  what: Pick<StoredSubscription, 'uuid' | 'protocol' | 'address'> & { readonly topic: StoredTopic },
  tokenHash: string,
  request: ConfirmationRequest,
): StoredSubscription => ({
  uuid: what.uuid,
  topicUuid: what.topic.uuid,
  topicName: what.topic.name,
  ...(what.topic.title !== undefined && { topicTitle: what.topic.title }),
  generation: what.topic.generation,
  protocol: what.protocol,
  address: what.address,
  ...valuesOfRequest(request),
  isActive: false,
  requests: { [tokenHash]: request },
  createdAt: request.requestedAt,
});
