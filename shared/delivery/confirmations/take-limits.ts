import { dayMs } from '../../domain/day-ms.ts';
import { channelOf } from '../../domain/deliveries/channels.ts';
import { keyedHash } from '../../domain/name-uuid.ts';
import { mostOpenRequests, roomAt } from '../../domain/subscriptions/confirmation-requests.ts';
import { declinedId } from '../../domain/subscriptions/never-ask.ts';
import type {
  ConfirmationRequest,
  Protocol,
  Slot,
  StoredSubscription,
} from '../../domain/subscriptions/subscription.ts';
import { Refusal } from '../../model/refusals.ts';
import type { limits } from '../../storage/limits/limits.ts';

/** What limits are taken with. */
export interface LimitTools {
  readonly limits: ReturnType<typeof limits.permissions.take>;
  /** The key of `limits`, under which callers, hosts and mailboxes are hashed. */
  readonly limitsKey: Uint8Array;
  readonly settings: {
    readonly unconfirmedPerHost: number;
    readonly confirmationsPerMailbox: number;
    readonly confirmationsPerCaller: number;
  };
}

/** A request to confirm that is about to be made. */
interface Wanted {
  readonly protocol: Protocol;
  readonly address: string;
  readonly request: ConfirmationRequest;
  /** What has been asked of the same subscription. */
  readonly requests: StoredSubscription['requests'];
}

/** What was taken: the slot of a host is the request's until it is confirmed. */
export interface Taken {
  readonly hostSlot?: Slot;
  /** What to give back where the request is not made after all. */
  readonly toFree: readonly Slot[];
}

const refuse = (freeAt: number, now: number, why: string): Refusal => {
  const seconds = Math.max(1, Math.ceil((freeAt - now) / 1000));
  return new Refusal('tooManyConfirmations', `${why}; try again in ${seconds} seconds`, seconds);
};

/** @throws Refusal `addressDeclines` where the owner of the mailbox never wants to be asked */
export async function refuseDeclined(
  { protocol, address }: Pick<Wanted, 'protocol' | 'address'>,
  { limits, limitsKey }: Pick<LimitTools, 'limits' | 'limitsKey'>,
): Promise<void> {
  const target = channelOf(protocol).targetOf(address);
  if (!('mailbox' in target) || !(await limits.isDeclined(declinedId(limitsKey, target.mailbox)))) return;
  throw new Refusal('addressDeclines', 'the owner of this mailbox never wants to be asked to confirm a subscription');
}

/**
 * Takes what a request to confirm takes of the limits: of those of its host and caller together or of its mailbox, and of
 * those of its caller. Its subscription must have room, too.
 * @throws Refusal `tooManyConfirmations` that says which, and when there is room again. Then nothing is taken
 */
export async function takeLimits(wanted: Wanted, tools: LimitTools): Promise<Taken> {
  const { askedAt: now, caller } = wanted.request;
  const roomFrom = roomAt(wanted.requests, caller, now);
  if (roomFrom !== undefined) {
    throw refuse(roomFrom, now, `${mostOpenRequests} other callers wait for this subscription to be confirmed`);
  }
  const target = channelOf(wanted.protocol).targetOf(wanted.address);
  const taken =
    'host' in target
      ? await takeOfHost(target.host, wanted, tools)
      : await takeOfMailbox(target.mailbox, wanted, tools);
  const most = tools.settings.confirmationsPerCaller;
  const full = await tools.limits.countInHour(keyedHash(tools.limitsKey, 'caller', caller), most, now);
  if (full === undefined) return taken;
  await freeLimits(taken, tools);
  throw refuse(full.freeAt, now, `this caller has asked ${most} times within the hour for addresses to confirm`);
}

/** Gives back what was taken for a request that is not made after all. */
export async function freeLimits({ toFree }: Taken, { limits }: Pick<LimitTools, 'limits'>): Promise<void> {
  await Promise.all(toFree.map((slot) => limits.free(slot)));
}

// Each request takes a slot, also one to a subscription that waits already: it is the requests that make a flood.
async function takeOfHost(
  host: string,
  { request }: Wanted,
  { limits, limitsKey, settings }: LimitTools,
): Promise<Taken> {
  const { messageId: holder, askedAt: now, expiresAt: until, caller } = request;
  const most = settings.unconfirmedPerHost;
  const id = keyedHash(limitsKey, 'host', caller, host);
  const slot = await limits.takeSlot({ id, holder, most, until }, now);
  if ('id' in slot) return { hostSlot: slot, toFree: [slot] };
  throw refuse(
    slot.freeAt,
    now,
    `${most} requests of this caller to this host wait to be confirmed: confirm them first`,
  );
}

async function takeOfMailbox(
  mailbox: string,
  { request }: Wanted,
  { limits, limitsKey, settings }: LimitTools,
): Promise<Taken> {
  const { messageId: holder, askedAt: now } = request;
  const most = settings.confirmationsPerMailbox;
  const id = keyedHash(limitsKey, 'mailbox', mailbox);
  const slot = await limits.takeSlot({ id, holder, most, until: now + dayMs }, now);
  if ('id' in slot) return { toFree: [slot] };
  throw refuse(slot.freeAt, now, `this mailbox was asked ${most} times within a day to confirm subscriptions`);
}
