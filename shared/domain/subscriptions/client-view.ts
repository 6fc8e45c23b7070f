import { ClientError } from '../client-errors.ts';
import { isConfirmed } from './confirmation-requests.ts';
import { pendingSubscription } from './pending-subscription.ts';
import type { ConfirmationRequest, DeliveryFormat, Protocol, StoredSubscription } from './subscription.ts';

export const unknownSubscription = (): ClientError =>
  new ClientError('unknownSubscription', 'no subscription has this uuid; GET /v1/subscriptions lists them');

/**
 * Returns the subscription as the viewer sees it.
 * @throws ClientError `unknownSubscription` if the viewer may not see it
 */
export function requireView(viewer: Viewer, stored: StoredSubscription | undefined, now: number): StoredSubscription {
  const seen = viewFor(stored, viewer, now);
  if (seen === undefined) throw unknownSubscription();
  return seen;
}

/** @throws ClientError `notActive` if the subscription is paused or not confirmed */
export function rejectInactive({ isActive, pausedReason }: StoredSubscription): void {
  if (isActive) return;
  const why = pausedReason === undefined ? 'is not confirmed yet' : `is paused (${pausedReason})`;
  throw new ClientError(
    'notActive',
    `the subscription ${why}: subscribe again with the settings that you want, and confirm that request`,
  );
}

/** @throws ClientError if the protocol does not support the given format */
export function rejectUnusedFormat(
  protocol: Protocol,
  deliveryFormat: DeliveryFormat | null | undefined,
  [code, name]: readonly ['invalidParameter' | 'invalidBody', string] = ['invalidParameter', 'deliveryFormat'],
): void {
  if (protocol === 'http' || deliveryFormat == null) return;
  const why = `messages by ${protocol} are written for people: omit it`;
  throw new ClientError(code, `${name} applies only to http subscriptions, because ${why}`);
}

/** @throws ClientError `invalidParameter` if clients own their subscriptions and the token does not name a client */
export function rejectUnnamedClient({ client, seesAll }: Viewer): void {
  if (seesAll || client !== '') return;
  const why =
    'a subscription belongs to a client, but this access token names none; request a token that names the client';
  throw new ClientError('invalidParameter', `authorization must identify the subscribing client: ${why}`);
}

interface Viewer {
  /** The client's name; empty if the access token contains no client name. */
  readonly client: string;
  readonly seesAll: boolean;
}

export const viewerOf = (
  { client, isAdmin }: { readonly client: string; readonly isAdmin: boolean },
  { subscriptionOwnership }: { readonly subscriptionOwnership: 'shared' | 'caller' },
): Viewer => ({ client, seesAll: isAdmin || subscriptionOwnership === 'shared' });

/** Returns a client's unconfirmed requests, newest first. Omits expired requests if the subscription is confirmed. */
function requestsOf(stored: StoredSubscription, client: string, now: number): [string, ConfirmationRequest][] {
  return Object.entries(stored.requests)
    .filter(([, { caller, confirmedAt }]) => caller === client && confirmedAt === undefined)
    .filter(([, { expiresAt }]) => expiresAt > now || !isConfirmed(stored))
    .toSorted(([, a], [, b]) => b.requestedAt - a.requestedAt);
}

/**
 * Returns a subscription as a client sees it at `now` (epoch milliseconds). The owner and clients with `seesAll` see
 * the stored subscription. Any other client sees a pending subscription that contains only the requests of that client.
 * Clients can therefore not detect each other's subscriptions.
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
  const { topicUuid, topicName, topicTitle, generation } = stored;
  const topic = { uuid: topicUuid, name: topicName, generation, ...(topicTitle && { title: topicTitle }) };
  const pending = pendingSubscription({ ...stored, topic }, ...last);
  return { ...pending, requests: Object.fromEntries(own), createdAt: first[1].requestedAt };
}
