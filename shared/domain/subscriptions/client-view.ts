import { isConfirmed } from './confirmation-state.ts';
import { pendingSubscription } from './pending-subscription.ts';
import type { ConfirmationRequest, StoredSubscription } from './subscription.ts';

/** Who asks about subscriptions. */
export interface Viewer {
  /** What tells the client from others; empty where its token does not say. */
  readonly client: string;
  readonly seesAll: boolean;
}

/** Who asks, by what the request and the deployment say. */
export const viewerOf = (
  { client, isAdmin }: { readonly client: string; readonly isAdmin: boolean },
  { subscriptionOwnership }: { readonly subscriptionOwnership: 'shared' | 'caller' },
): Viewer => ({ client, seesAll: isAdmin || subscriptionOwnership === 'shared' });

/** The requests of a client that are not confirmed, by their hashes, the last first; of a confirmed subscription the open ones. */
function requestsOf(stored: StoredSubscription, client: string, now: number): [string, ConfirmationRequest][] {
  return Object.entries(stored.requests)
    .filter(([, { caller, confirmedAt }]) => caller === client && confirmedAt === undefined)
    .filter(([, { expiresAt }]) => expiresAt > now || !isConfirmed(stored))
    .toSorted(([, a], [, b]) => b.askedAt - a.askedAt);
}

/**
 * A subscription as a client sees it at `now` (epoch milliseconds); undefined where there is none for it. Whose it is, and who sees
 * all, sees what is stored. Anybody else sees what it has asked the address to confirm itself, as waiting for that, and nothing of
 * what others have there, not even that they do.
 */
export function viewFor(
  stored: StoredSubscription | undefined,
  { client, seesAll }: Viewer,
  now: number,
): StoredSubscription | undefined {
  if (stored === undefined || seesAll) return stored;
  if (client === '') return undefined;
  if (isConfirmed(stored) && stored.owner === client) return stored;
  const own = requestsOf(stored, client, now);
  const [last, first] = [own[0], own.at(-1)];
  if (last === undefined || first === undefined) return undefined;
  const topic = { uuid: stored.topicUuid, name: stored.topicName, generation: stored.generation };
  const pending = pendingSubscription({ ...stored, topic }, ...last);
  return { ...pending, requests: Object.fromEntries(own), createdAt: first[1].askedAt };
}
