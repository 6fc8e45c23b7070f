import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../domain/client-errors.ts';
import { viewerOf, viewFor } from '../../domain/subscriptions/client-view.ts';
import { failedRequestOf, needsNewRequest, newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import { pendingSubscription } from '../../domain/subscriptions/pending-subscription.ts';
import type { Policy } from '../../domain/subscriptions/policy.ts';
import type { ConfirmationRequest } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import {
  type LimitTools,
  rejectDeclined,
  rejectFullHost,
  rejectManyWatchers,
  releaseLimits,
  reserveLimits,
} from './take-limits.ts';

// The first wait for a concurrent request to be stored and sent. The second wait is twice as long.
const sameMomentMs = 150;
const mostWaits = 2;

interface RequestTools extends LimitTools {
  readonly randomBytes: (count: number) => Uint8Array;
}

type SubscriptionToConfirm = Parameters<typeof pendingSubscription>[0] &
  Parameters<typeof viewerOf>[0] &
  Pick<ConfirmationRequest, 'subjects' | 'deliveryFormat'> & { readonly policy: Policy };

/**
 * Stores an unconfirmed subscription, or adds a confirmation request to an existing subscription. Changes nothing if
 * the subscription is active for this client or already has a recent request with the same values. The delivery row is
 * written before the request, so that the sweeper sends the confirmation if this process stops. `asking` is the
 * confirmation message to send; undefined if no confirmation is needed. The promise `opened` rejects if the message's
 * delivery row could not be written.
 * @throws ClientError `tooManyConfirmations`, `tooManySubscriptions` or `addressDeclines`, without storing anything
 */
export async function requestConfirmation(what: SubscriptionToConfirm, tools: RequestTools) {
  const { subscriptions, now, newId, randomBytes, settings } = tools;
  const viewer = viewerOf(what, settings);
  const asked = { ...what.policy, subjects: what.subjects, deliveryFormat: what.deliveryFormat };
  const asking = { ...asked, caller: what.client, mayTransfer: settings.subscriptionOwnership === 'caller' };
  let waits = 0;
  for (let limit: ClientError | undefined; ; ) {
    const stored = await subscriptions.get(what.uuid, now());
    const present = stored?.generation === what.topic.generation ? stored : undefined;
    const seen = viewFor(present, viewer, now());
    if (!seen?.isActive) await rejectDeclined(what, tools);
    const needed = seen === undefined || needsNewRequest(seen, asking, now());
    if (seen && !needed) return { subscription: seen.isActive ? seen : { ...seen, ...asked } };
    if ((limit || needed === 'unsent') && waits < mostWaits) {
      await sleep(sameMomentMs * ++waits);
      continue;
    }
    if (limit) throw limit;
    await rejectFullHost(what, what.client, present, tools);
    await rejectManyWatchers(what.topic, present, tools);

    const token = composeToken(what.uuid, randomBytes(32));
    const made = newRequest(asking, newId(), now());
    const tokenHash = hashToken(token);
    const { requests = {} } = present ?? {};
    const taken = await reserveLimits({ ...what, request: made, requests }, tools).catch((error: unknown) => {
      if (error instanceof ClientError) return error;
      throw error;
    });
    if (taken instanceof ClientError) {
      // Wait and read again, because a concurrent request with the same values may have used up the limit.
      limit = taken;
      await sleep(sameMomentMs * ++waits);
      continue;
    }
    const request = { ...made, isUnsent: true, ...(taken.hostSlot && { hostSlot: taken.hostSlot }) };
    const pending = pendingSubscription(what, tokenHash, request);
    const task = confirmationTask(pending, token, request);
    const opened = tools.deliveries.openSingle(task, now(), Math.floor(request.expiresAt / 1000));
    await Promise.allSettled([opened]);
    const isWritten = present
      ? await subscriptions.addRequest(present, tokenHash, request, failedRequestOf(requests, what.client, now()))
      : (await subscriptions.ensure(pending)) === undefined;
    if (isWritten) return { subscription: pending, asking: { task, opened, tokenHash, taken } };
    // A concurrent request was stored first, so read the subscription again. The sweeper deletes the delivery row of
    // the request that was not stored.
    await releaseLimits(taken, tools);
  }
}
