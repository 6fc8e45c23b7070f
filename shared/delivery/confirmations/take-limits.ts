import type { KeyObject } from 'node:crypto';
import type { subscribe } from '../../contract/endpoints/subscriptions-endpoints.ts';
import { ClientError } from '../../domain/client-errors.ts';
import { channelOf } from '../../domain/deliveries/channels.ts';
import { keyedHash } from '../../domain/name-uuid.ts';
import { failedRequestOf, maxOpenRequests, nextRequestAt } from '../../domain/subscriptions/confirmation-requests.ts';
import { declinedId } from '../../domain/subscriptions/link-tokens.ts';
import { maxStatusSubscriptions } from '../../domain/subscriptions/status-event.ts';
import type { ConfirmationRequest, Slot, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { dayMs, minuteMs } from '../../domain/time.ts';
import { type StoredTopic, statusTopicUuid } from '../../domain/topics/topic.ts';
import type { Tools } from '../tools.ts';

type SubscribeTools = Tools<(typeof subscribe)['uses'][number], (typeof subscribe)['reads'][number]>;

export interface LimitTools extends SubscribeTools {
  readonly limitsKey: KeyObject;
}

interface Wanted extends Pick<StoredSubscription, 'uuid' | 'protocol' | 'address' | 'requests'> {
  readonly request: ConfirmationRequest;
}

/**
 * The limit slots that a confirmation request has reserved. The host slot is held until the subscription is confirmed
 * or the request expires.
 */
interface ReservedLimits {
  readonly hostSlot?: Slot;
  /** The slots to release if the request is not stored. */
  readonly toFree: readonly Slot[];
}

const refuse = (freeAt: number, now: number, why: string): ClientError => {
  const seconds = Math.max(1, Math.ceil((freeAt - now) / 1000));
  return new ClientError('tooManyConfirmations', `${why}; try again in ${seconds} seconds`, seconds);
};

/** @throws ClientError `addressDeclines` if the owner of the mailbox has stopped confirmation requests */
export async function rejectDeclined(
  { protocol, address }: Pick<Wanted, 'protocol' | 'address'>,
  { limits, limitsKey }: LimitTools,
): Promise<void> {
  const target = channelOf(protocol).targetOf(address);
  if (!('mailbox' in target) || !(await limits.declinesRequests(declinedId(limitsKey, target.mailbox)))) return;
  throw new ClientError('addressDeclines', 'the owner of this mailbox has stopped confirmation requests');
}

const callerHost = (key: KeyObject, caller: string, host: string): string => keyedHash(key, 'host', caller, host);

/**
 * @throws ClientError `tooManySubscriptions` if a client would exceed its limit of subscriptions to the status topic
 */
export async function rejectManyWatchers(
  topic: StoredTopic,
  present: StoredSubscription | undefined,
  { subscriptions }: LimitTools,
): Promise<void> {
  const max = maxStatusSubscriptions;
  if (topic.uuid !== statusTopicUuid || present !== undefined) return;
  if ((await subscriptions.countOfTopic(topic, max)) < max) return;
  throw new ClientError('tooManySubscriptions', `this client has ${max} subscriptions to this topic: end some of them`);
}

/** @throws ClientError `tooManySubscriptions` if another subscription would exceed the client's limit for the host */
export async function rejectFullHost(
  { protocol, address }: Pick<Wanted, 'protocol' | 'address'>,
  caller: string,
  present: Pick<StoredSubscription, 'callerHost'> | undefined,
  { subscriptions, limitsKey, settings }: LimitTools,
): Promise<void> {
  const target = channelOf(protocol).targetOf(address);
  if (!('host' in target)) return;
  const id = callerHost(limitsKey, caller, target.host);
  const max = settings.subscriptionsPerHost;
  // A repeated request does not create another subscription.
  if (present?.callerHost === id || (await subscriptions.countAtHost(id, max)) < max) return;
  const why = `this client has ${max} subscriptions at this host, including unconfirmed ones`;
  throw new ClientError('tooManySubscriptions', `${why}: end some of them, then subscribe again`);
}

/**
 * Counts a confirmation request towards the limits for its client and for its mailbox or host.
 * @throws ClientError `tooManyConfirmations`, with the exceeded limit and the time to wait; the request then holds no
 * slots
 */
export async function reserveLimits(wanted: Wanted, tools: LimitTools): Promise<ReservedLimits> {
  const { requestedAt: now, caller } = wanted.request;
  const roomFrom = nextRequestAt(wanted.requests, caller, now);
  if (roomFrom !== undefined) {
    throw refuse(roomFrom, now, `${maxOpenRequests} other clients have open requests to confirm this subscription`);
  }
  if (failedRequestOf(wanted.requests, caller, now) !== undefined) {
    const id = keyedHash(tools.limitsKey, 'again', wanted.uuid);
    const turn = { id, holder: wanted.request.messageId, max: 1, until: now + minuteMs };
    const slot = await tools.limits.acquireSlot(turn, now);
    if (!('id' in slot)) throw refuse(slot.freeAt, now, 'this failed request was repeated less than a minute ago');
  }
  const target = channelOf(wanted.protocol).targetOf(wanted.address);
  const taken =
    'host' in target
      ? await takeOfHost(target.host, wanted, tools)
      : await takeOfMailbox(target.mailbox, wanted, tools);
  const max = tools.settings.confirmationsPerCaller;
  const full = await tools.limits.countInHour(keyedHash(tools.limitsKey, 'caller', caller), max, now);
  if (full === undefined) return taken;
  await releaseLimits(taken, tools);
  throw refuse(full.freeAt, now, `this client has requested ${max} confirmations within the hour`);
}

const maxRepeatsPerHost = 60;

export async function releaseLimits({ toFree }: ReservedLimits, { limits }: Pick<LimitTools, 'limits'>): Promise<void> {
  await Promise.all(toFree.map((slot) => limits.releaseSlot(slot)));
}

// Each request takes a slot, even if the subscription already has unconfirmed requests, because a message is sent for
// each request. A request that replaces a failed request reuses the slot of the failed request, and counts towards an
// hourly limit instead.
async function takeOfHost(
  host: string,
  { request, requests }: Wanted,
  { limits, limitsKey, settings }: LimitTools,
): Promise<ReservedLimits> {
  const { messageId: holder, requestedAt: now, expiresAt: until, caller } = request;
  const failed = failedRequestOf(requests, caller, now);
  if (failed !== undefined) {
    const full = await limits.countInHour(keyedHash(limitsKey, 'again', host), maxRepeatsPerHost, now);
    if (full) throw refuse(full.freeAt, now, `this host had ${maxRepeatsPerHost} repeated requests within the hour`);
    if (failed.hostSlot) return { hostSlot: failed.hostSlot, toFree: [] };
  }
  const max = settings.unconfirmedPerHost;
  const id = callerHost(limitsKey, caller, host);
  const slot = await limits.acquireSlot({ id, holder, max, until }, now);
  if ('id' in slot) return { hostSlot: slot, toFree: [slot] };
  throw refuse(slot.freeAt, now, `this client has ${max} unconfirmed requests to this host: confirm them first`);
}

async function takeOfMailbox(
  mailbox: string,
  { request }: Wanted,
  { limits, limitsKey, settings }: LimitTools,
): Promise<ReservedLimits> {
  const { messageId: holder, requestedAt: now, caller } = request;
  const until = now + dayMs;
  const { confirmationsPerMailboxAndCaller: own, confirmationsPerMailbox: all } = settings;
  const ownId = keyedHash(limitsKey, 'mailbox', caller, mailbox);
  const ownSlot = await limits.acquireSlot({ id: ownId, holder, max: own, until }, now);
  if (!('id' in ownSlot)) {
    const why = `this client sent ${own} confirmation requests to this mailbox within a day`;
    throw refuse(ownSlot.freeAt, now, why);
  }
  const slot = await limits.acquireSlot({ id: keyedHash(limitsKey, 'mailbox', mailbox), holder, max: all, until }, now);
  if ('id' in slot) return { toFree: [ownSlot, slot] };
  await limits.releaseSlot(ownSlot);
  throw refuse(slot.freeAt, now, `this mailbox received ${all} confirmation requests within a day`);
}
