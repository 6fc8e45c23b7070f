import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../domain/client-errors.ts';
import type { DeliveryTask } from '../../domain/deliveries/task.ts';
import { viewerOf, viewFor } from '../../domain/subscriptions/client-view.ts';
import { needsNewRequest, newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import { pendingSubscription } from '../../domain/subscriptions/pending-subscription.ts';
import type { Policy } from '../../domain/subscriptions/policy.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { subscriptions } from '../../storage/subscriptions/store.ts';
import { type LimitTools, type ReservedLimits, rejectDeclined, releaseLimits, reserveLimits } from './take-limits.ts';

// How long to wait for a concurrent request to be stored.
const sameMomentMs = 150;

type Store = ReturnType<typeof subscriptions.permissions.read> &
  ReturnType<typeof subscriptions.permissions.requestConfirmation>;

interface RequestTools extends LimitTools {
  readonly subscriptions: Store;
  readonly settings: LimitTools['settings'] & Parameters<typeof viewerOf>[1];
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** `asking`: the confirmation message to send; undefined if no confirmation is needed. */
interface ConfirmationRequested {
  readonly subscription: StoredSubscription;
  readonly asking?: {
    readonly task: DeliveryTask;
    readonly expiresAt: number;
    readonly tokenHash: string;
    readonly taken: ReservedLimits;
  };
}

type SubscriptionToConfirm = Parameters<typeof pendingSubscription>[0] & {
  readonly policy: Policy;
  readonly subjects: readonly string[];
  readonly client: string;
  readonly isAdmin: boolean;
};

/**
 * Stores an unconfirmed subscription, or adds a confirmation request to an existing subscription. Changes nothing if
 * the subscription is active for this client or already has a recent request with the same values.
 * @throws ClientError `tooManyConfirmations` or `addressDeclines`, without storing anything
 */
export async function requestConfirmation(
  what: SubscriptionToConfirm,
  tools: RequestTools,
): Promise<ConfirmationRequested> {
  const { subscriptions, now, newId, randomBytes, settings } = tools;
  const viewer = viewerOf(what, settings);
  const asked = { ...what.policy, subjects: what.subjects };
  const asking = { ...asked, caller: what.client, mayTransfer: settings.subscriptionOwnership === 'caller' };
  for (let limit: ClientError | undefined; ; ) {
    const stored = await subscriptions.get(what.uuid, now());
    const present = stored?.generation === what.topic.generation ? stored : undefined;
    const seen = viewFor(present, viewer, now());
    if (!seen?.isActive) await rejectDeclined(what, tools);
    if (seen && !needsNewRequest(seen, asking, now()))
      return { subscription: seen.isActive ? seen : { ...seen, ...asked } };
    if (limit) throw limit;

    const token = composeToken(what.uuid, randomBytes(32));
    const made = newRequest(asking, newId(), now());
    const tokenHash = hashToken(token);
    const { protocol, address } = what;
    const { requests = {} } = present ?? {};
    const taken = await reserveLimits({ protocol, address, request: made, requests }, tools).catch(onlyClientError);
    if (taken instanceof ClientError) {
      // Wait and read again, because a concurrent request with the same values may have used up the limit.
      limit = taken;
      await sleep(sameMomentMs);
      continue;
    }
    const request = taken.hostSlot ? { ...made, hostSlot: taken.hostSlot } : made;
    const pending = pendingSubscription(what, tokenHash, request);
    const isWritten = present
      ? await subscriptions.addRequest(present, tokenHash, request)
      : (await subscriptions.ensure(pending)) === undefined;
    if (isWritten) {
      const task = confirmationTask(pending, token, request);
      return { subscription: pending, asking: { task, expiresAt: request.expiresAt, tokenHash, taken } };
    }
    // A concurrent request was stored first, so read the subscription again.
    await releaseLimits(taken, tools);
  }
}

function onlyClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw error;
}

/**
 * Marks a request whose confirmation could not be sent as failed, and frees its limit slots. A repeated request can
 * then send a confirmation. Errors are ignored, because the client receives status 500 anyway.
 */
export async function withdrawRequest(
  { uuid, tokenHash, taken }: { uuid: string; tokenHash: string; taken: ReservedLimits },
  { subscriptions, limits }: Pick<RequestTools, 'subscriptions' | 'limits'>,
): Promise<void> {
  await Promise.allSettled([subscriptions.markRequestFailed(uuid, tokenHash), releaseLimits(taken, { limits })]);
}
