import type { StoredTopic } from '../../model/topics/topic.ts';
import { pendingExpiry } from './confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';

/** A new subscription, which waits for its first request (under the hash of its token) to be confirmed. */
export const pendingSubscription = (
  what: Pick<StoredSubscription, 'uuid' | 'protocol' | 'address'> & { readonly topic: StoredTopic },
  tokenHash: string,
  request: ConfirmationRequest,
): StoredSubscription => ({
  uuid: what.uuid,
  topicUuid: what.topic.uuid,
  topicName: what.topic.name,
  generation: what.topic.generation,
  protocol: what.protocol,
  address: what.address,
  countdownSeconds: request.countdownSeconds,
  maxRetries: request.maxRetries,
  subjects: request.subjects,
  owner: request.caller,
  isActive: false,
  requests: { [tokenHash]: request },
  createdAt: request.askedAt,
  expiresAt: pendingExpiry(request),
});
