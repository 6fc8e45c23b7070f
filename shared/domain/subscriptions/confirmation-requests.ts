import { dayMs } from '../day-ms.ts';
import { formatPolicy, type Policy } from './policy.ts';
import type { ConfirmationRequest, Slot, StoredSubscription } from './subscription.ts';
import { tokenLifetimeMs } from './subscription-token.ts';

/** What a caller asks an address to confirm: the policy, the filter, and whose the subscription is then. */
type Asking = Pick<ConfirmationRequest, 'countdownSeconds' | 'maxRetries' | 'subjects' | 'caller' | 'mayTransfer'>;

/** How many requests of one subscription may be open at once. */
export const mostOpenRequests = 5;

// Before that, asking the same again is a caller's impatience: the confirmation may be on its way.
const impatienceMs = 10 * 60 * 1000;

/** How long a request that nobody confirmed is kept after its token has run out: after that nobody remembers what it was about. */
export const keptAfterTokenDays = 30;

/** A request made at `now` (epoch milliseconds). */
export const newRequest = (
  { countdownSeconds, maxRetries, subjects, caller, mayTransfer }: Asking,
  messageId: string,
  now: number,
): ConfirmationRequest => ({
  countdownSeconds,
  maxRetries,
  subjects,
  caller,
  ...(mayTransfer && { mayTransfer }),
  messageId,
  askedAt: now,
  expiresAt: now + tokenLifetimeMs,
});

/** When the row of a subscription that is not confirmed goes (epoch seconds), with its last request. */
export const pendingExpiry = ({ expiresAt }: Pick<ConfirmationRequest, 'expiresAt'>): number =>
  Math.floor((expiresAt + keptAfterTokenDays * dayMs) / 1000);

/** A row that is due to go may stand for days yet: it counts as gone. */
export const isGoneBy = ({ expiresAt }: Pick<StoredSubscription, 'expiresAt'>, now: number): boolean =>
  expiresAt !== undefined && expiresAt * 1000 <= now;

type Requests = StoredSubscription['requests'];

/** True when asking for this at `now` must send a confirmation: nothing like it is open, or it is old, or it has failed. */
export function mustAsk({ isActive, requests }: StoredSubscription, asking: Asking, now: number): boolean {
  if (isActive) return false;
  const open = Object.values(requests).filter((one) => one.expiresAt > now && !one.hasFailed);
  return !open.some((one) => differences(one, asking).length === 0 && now - one.askedAt < impatienceMs);
}

const parts = {
  // No name has a line break.
  subjects: ({ subjects }: Asking) => subjects.join('\n'),
  policy: formatPolicy,
  caller: ({ caller }: Asking) => caller,
};
const partNames = ['subjects', 'policy', 'caller'] as const;
export type RequestPart = (typeof partNames)[number];

const differences = (one: Asking, other: Asking): RequestPart[] =>
  partNames.filter((name) => parts[name](one) !== parts[name](other));

/** What confirming a request changes of a subscription that is active: it replaces what is there. None of any other. */
export const replacedBy = (
  stored: Pick<StoredSubscription, 'isActive' | 'owner' | 'subjects' | keyof Policy>,
  request: Asking,
): RequestPart[] => (stored.isActive ? differences({ ...stored, caller: stored.owner }, request) : []);

/**
 * The tokens (by hash) that go when `caller` asks anew at `now`: those that have expired, and as many as it takes for
 * `mostOpenRequests`: the oldest of the caller that has most, and its own where it has as many. So no caller ends the only
 * request of another, as long as there is room (`roomAt`).
 */
export function requestsToDrop(requests: Requests, caller: string, now: number): string[] {
  const byAge = Object.entries(requests).toSorted(([, a], [, b]) => a.askedAt - b.askedAt);
  const [expired, open] = [
    byAge.filter(([, one]) => one.expiresAt <= now),
    byAge.filter(([, one]) => one.expiresAt > now),
  ];
  const callers = [caller, ...open.map(([, one]) => one.caller)];
  const countOf = (whose: string) => callers.filter((one) => one === whose).length;
  const mostFirst = open.toSorted(
    ([, a], [, b]) =>
      countOf(b.caller) - countOf(a.caller) || Number(b.caller === caller) - Number(a.caller === caller),
  );
  const tooMany = mostFirst.slice(0, Math.max(0, open.length + 1 - mostOpenRequests));
  return [...expired, ...tooMany].map(([hash]) => hash);
}

/**
 * When `caller` may ask anew (epoch milliseconds); undefined where it may at `now`. It may not while each of
 * `mostOpenRequests` others has one request open.
 */
export function roomAt(requests: Requests, caller: string, now: number): number | undefined {
  const open = Object.values(requests).filter((one) => one.expiresAt > now);
  const callers = new Set(open.map((one) => one.caller));
  if (callers.has(caller) || callers.size < mostOpenRequests) return undefined;
  return Math.min(...open.map((one) => one.expiresAt));
}

/** The places that a subscription's requests hold among the unconfirmed ones. */
export const slotsOf = ({ requests }: Pick<StoredSubscription, 'requests'>): Slot[] =>
  Object.values(requests).flatMap(({ hostSlot }) => hostSlot ?? []);
