import { setTimeout as sleep } from 'node:timers/promises';
import { viewerOf, viewFor } from '../../domain/subscriptions/client-view.ts';
import { mustAsk, newRequest } from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import { pendingSubscription } from '../../domain/subscriptions/pending-subscription.ts';
import type { Policy } from '../../domain/subscriptions/policy.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import type { DeliveryTask } from '../../model/deliveries/task.ts';
import { Refusal } from '../../model/refusals.ts';
import type { subscriptions } from '../../storage/subscriptions/subscriptions.ts';
import { freeLimits, type LimitTools, refuseDeclined, type Taken, takeLimits } from './take-limits.ts';

// A little longer than it takes to write what was asked.
const sameMomentMs = 150;

type Store = ReturnType<typeof subscriptions.permissions.show> & ReturnType<typeof subscriptions.permissions.ask>;

interface EnrolTools extends LimitTools {
  readonly subscriptions: Store;
  readonly settings: LimitTools['settings'] & Parameters<typeof viewerOf>[1];
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The subscription as this request sees it and, where its address must be asked, the task that does. */
interface Enrolled {
  readonly subscription: StoredSubscription;
  readonly asking?: {
    readonly task: DeliveryTask;
    readonly expiresAt: number;
    readonly tokenHash: string;
    readonly taken: Taken;
  };
}

type What = Parameters<typeof pendingSubscription>[0] & {
  readonly policy: Policy;
  readonly subjects: readonly string[];
  readonly client: string;
  readonly isAdmin: boolean;
};

/**
 * Stores a subscription that waits to be confirmed, or another request to confirm one that is there. One that the client sees
 * active, or that it asked the same of just now, stays as it is.
 * @throws Refusal `tooManyConfirmations` or `addressDeclines`; nothing is stored then
 */
export async function enrol(what: What, tools: EnrolTools): Promise<Enrolled> {
  const { subscriptions, now, newId, randomBytes, settings } = tools;
  const viewer = viewerOf(what, settings);
  const asked = { ...what.policy, subjects: what.subjects };
  const asking = { ...asked, caller: what.client, mayTransfer: settings.subscriptionOwnership === 'caller' };
  for (let limit: Refusal | undefined; ; ) {
    const stored = await subscriptions.get(what.uuid, now());
    const present = stored?.generation === what.topic.generation ? stored : undefined;
    const seen = viewFor(present, viewer, now());
    if (!seen?.isActive) await refuseDeclined(what, tools);
    if (seen && !mustAsk(seen, asking, now())) return { subscription: seen.isActive ? seen : { ...seen, ...asked } };
    if (limit) throw limit;

    const token = composeToken(what.uuid, randomBytes(32));
    const made = newRequest(asking, newId(), now());
    const tokenHash = hashToken(token);
    const { protocol, address } = what;
    const { requests = {} } = present ?? {};
    const taken = await takeLimits({ protocol, address, request: made, requests }, tools).catch(onlyRefusal);
    if (taken instanceof Refusal) {
      // The same may have been asked at this moment, and have taken what there was: then it is no refusal.
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
    // Somebody else has asked at this moment: what is there now decides.
    await freeLimits(taken, tools);
  }
}

function onlyRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/**
 * Marks a request whose confirmation could be written down nowhere as failed and gives back what it took, so that asking
 * the same again sends one. As far as that can be written: the caller is answered 500 in any case.
 */
export async function withdraw(
  { uuid, tokenHash, taken }: { uuid: string; tokenHash: string; taken: Taken },
  { subscriptions, limits }: Pick<EnrolTools, 'subscriptions' | 'limits'>,
): Promise<void> {
  await Promise.allSettled([subscriptions.confirmationFailed(uuid, tokenHash), freeLimits(taken, { limits })]);
}
