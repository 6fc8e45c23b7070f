import { timingSafeEqual } from 'node:crypto';
import { dayMs } from '../time.ts';
import { formatPolicy, type Policy } from './policy.ts';
import type { ConfirmationRequest, Slot, StoredSubscription } from './subscription.ts';
import { hashToken, tokenLifetimeMs } from './subscription-token.ts';

/** Returns the request that a token confirms. Compares in constant time. */
export function requestOfToken(
  { requests }: Pick<StoredSubscription, 'requests'>,
  token: string,
): ConfirmationRequest | undefined {
  const given = Buffer.from(hashToken(token));
  return Object.entries(requests).find(([hash]) => {
    const kept = Buffer.from(hash);
    return kept.length === given.length && timingSafeEqual(kept, given);
  })?.[1];
}

/** Returns whether the subscription has been confirmed. A confirmed subscription is either active or paused. */
export const isConfirmed = ({
  isActive,
  pausedReason,
}: Pick<StoredSubscription, 'isActive' | 'pausedReason'>): boolean => isActive || pausedReason !== undefined;

/** Returns whether the request is still waiting for confirmation at `now` (epoch milliseconds). */
export function awaitsConfirmation(
  { isActive, owner }: Pick<StoredSubscription, 'isActive' | 'owner'>,
  { expiresAt, confirmedAt, mayTransfer, caller }: ConfirmationRequest,
  now: number,
): boolean {
  if (expiresAt <= now || confirmedAt !== undefined) return false;
  return !isActive || (mayTransfer === true && caller !== owner);
}

/**
 * Returns the state of a confirmation link. A used link stays `confirmed` while the subscription is active and belongs
 * to the same client. After that, the link is `unknown`, so that it reveals nothing about another client's
 * subscription.
 */
export function confirmationState(
  stored: Pick<StoredSubscription, 'requests' | 'isActive' | 'owner'> | undefined,
  token: string,
  now: number,
): 'open' | 'confirmed' | 'expired' | 'unknown' {
  const request = stored && requestOfToken(stored, token);
  if (stored === undefined || request === undefined) return 'unknown';
  if (request.confirmedAt !== undefined)
    return stored.isActive && stored.owner === request.caller ? 'confirmed' : 'unknown';
  return request.expiresAt > now ? 'open' : 'expired';
}

/** The policy, filter, format and owner that the caller asks the owner of the address to confirm. */
type Wanted = Pick<
  ConfirmationRequest,
  'countdownSeconds' | 'maxRetries' | 'subjects' | 'deliveryFormat' | 'caller' | 'mayTransfer'
>;

export const maxOpenRequests = 5;

// If a client repeats a request within 10 minutes, nothing is sent, because the first confirmation request may still be
// on its way.
const impatienceMs = 10 * 60 * 1000;

/** The number of days for which an unconfirmed request is kept after its token expires. */
export const keptAfterTokenDays = 30;

export const newRequest = (
  { countdownSeconds, maxRetries, subjects, deliveryFormat, caller, mayTransfer }: Wanted,
  messageId: string,
  now: number,
): ConfirmationRequest => ({
  countdownSeconds,
  maxRetries,
  subjects,
  deliveryFormat,
  caller,
  ...(mayTransfer && { mayTransfer }),
  messageId,
  requestedAt: now,
  expiresAt: now + tokenLifetimeMs,
});

/** Returns the time (epoch seconds) at which an unconfirmed subscription expires together with its latest request. */
export const pendingExpiry = ({ expiresAt }: Pick<ConfirmationRequest, 'expiresAt'>): number =>
  Math.floor((expiresAt + keptAfterTokenDays * dayMs) / 1000);

/** Returns whether the row has expired. DynamoDB may delete a row several days after the row expires. */
export const isExpired = ({ expiresAt }: Pick<StoredSubscription, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && expiresAt * 1000 <= now;

type Requests = StoredSubscription['requests'];

/**
 * Decides whether a subscribe request needs a new confirmation request. No new request is needed if the subscription is
 * active, or if a request with the same values was made in the last 10 minutes and is still open. Returns `unsent` if
 * another process has stored such a request but has not sent it yet.
 */
export function needsNewRequest(
  { isActive, requests }: StoredSubscription,
  asking: Wanted,
  now: number,
): boolean | 'unsent' {
  if (isActive) return false;
  const open = Object.values(requests).filter((one) => one.expiresAt > now && !one.hasFailed);
  const same = open.filter((one) => differences(one, asking).length === 0 && now - one.requestedAt < impatienceMs);
  if (same.length === 0) return true;
  return same.every(({ isUnsent }) => isUnsent) ? 'unsent' : false;
}

const parts = {
  // Subjects contain no line breaks.
  subjects: ({ subjects }: Wanted) => subjects.join('\n'),
  caller: ({ caller }: Wanted) => caller,
  deliveryFormat: ({ deliveryFormat }: Wanted) => deliveryFormat,
  policy: formatPolicy,
};
type RequestPart = keyof typeof parts;
const partNames = Object.keys(parts) as RequestPart[];

const differences = (one: Wanted, other: Wanted): RequestPart[] =>
  partNames.filter((name) => parts[name](one) !== parts[name](other));

/**
 * Returns the parts of an active subscription that would change if the request were confirmed. The list is empty if the
 * subscription is not active.
 */
export const changedParts = (
  stored: Pick<StoredSubscription, 'isActive' | 'owner' | 'subjects' | 'deliveryFormat' | keyof Policy>,
  request: Wanted,
): RequestPart[] => (stored.isActive ? differences({ ...stored, caller: stored.owner }, request) : []);

/**
 * Returns the caller's open request whose last delivery attempt failed. A new request from the same caller replaces the
 * failed request and ends its retries.
 */
export const failedRequestOf = (requests: Requests, caller: string, now: number): ConfirmationRequest | undefined =>
  Object.values(requests).find((one) => one.caller === caller && one.hasFailed && one.expiresAt > now);

/**
 * Returns the token hashes of the requests to drop when the caller makes a new request. Expired requests and the
 * request that is replaced are dropped. The caller's unsent requests are also dropped, because the sweeper would
 * otherwise send them. If too many requests are open, the caller with the most requests loses its oldest request. If
 * the caller of the new request is among several callers with the most requests, this caller loses its oldest request.
 * No caller can drop another caller's only request if `nextRequestAt` returns undefined.
 */
export function requestsToDrop(
  requests: Requests,
  caller: string,
  now: number,
  replaced?: ConfirmationRequest,
): string[] {
  const byAge = Object.entries(requests).toSorted(([, a], [, b]) => a.requestedAt - b.requestedAt);
  const isOver = (one: ConfirmationRequest) =>
    one === replaced || one.expiresAt <= now || (one.isUnsent && one.caller === caller);
  const [over, open] = [byAge.filter(([, one]) => isOver(one)), byAge.filter(([, one]) => !isOver(one))];
  const callers = [caller, ...open.map(([, one]) => one.caller)];
  const countOf = (whose: string) => callers.filter((one) => one === whose).length;
  const mostFirst = open.toSorted(
    ([, a], [, b]) =>
      countOf(b.caller) - countOf(a.caller) || Number(b.caller === caller) - Number(a.caller === caller),
  );
  const tooMany = mostFirst.slice(0, Math.max(0, open.length + 1 - maxOpenRequests));
  return [...over, ...tooMany].map(([hash]) => hash);
}

/**
 * Returns undefined if `caller` may make a request now; otherwise, returns the time at which the next open request
 * expires.
 */
export function nextRequestAt(requests: Requests, caller: string, now: number): number | undefined {
  const open = Object.values(requests).filter((one) => one.expiresAt > now);
  const callers = new Set(open.map((one) => one.caller));
  if (callers.has(caller) || callers.size < maxOpenRequests) return undefined;
  return Math.min(...open.map((one) => one.expiresAt));
}

/** Returns the slots that a subscription's requests occupy in the per-host limits. */
export const slotsOf = ({ requests }: Pick<StoredSubscription, 'requests'>): Slot[] =>
  Object.values(requests).flatMap(({ hostSlot }) => hostSlot ?? []);
