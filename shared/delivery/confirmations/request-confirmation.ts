import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { subscribe } from '../../contract/endpoints/subscriptions-endpoints.ts';
import { ClientError } from '../../domain/client-errors.ts';
import { channelOf } from '../../domain/deliveries/channels.ts';
import { keyedHash } from '../../domain/name-uuid.ts';
import { viewerOf, viewFor } from '../../domain/subscriptions/client-view.ts';
import {
  failedRequestOf,
  maxOpenRequests,
  needsNewRequest,
  newRequest,
  nextRequestAt,
} from '../../domain/subscriptions/confirmation-requests.ts';
import { confirmationTask } from '../../domain/subscriptions/confirmation-task.ts';
import { declinedId } from '../../domain/subscriptions/link-tokens.ts';
import { pendingSubscription } from '../../domain/subscriptions/pending-subscription.ts';
import type { Policy } from '../../domain/subscriptions/policy.ts';
import { maxStatusSubscriptions } from '../../domain/subscriptions/status-event.ts';
import type { ConfirmationRequest, Slot, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { composeToken, hashToken } from '../../domain/subscriptions/subscription-token.ts';
import { dayMs, minuteMs } from '../../domain/time.ts';
import { statusTopicUuid } from '../../domain/topics/topic.ts';
import type { Tools } from '../tools.ts';

// The first wait for a concurrent request to be stored and sent. The second wait is twice as long.
const sameMomentMs = 150;
const mostWaits = 2;

interface RequestTools extends Tools<(typeof subscribe)['uses'][number], (typeof subscribe)['reads'][number]> {
  readonly limitsKey: KeyObject;
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
    await rejectTooMany(what, present, tools);

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
async function rejectDeclined({ protocol, address }: SubscriptionToConfirm, { limits, limitsKey }: RequestTools) {
  const target = channelOf(protocol).targetOf(address);
  if (!('mailbox' in target) || !(await limits.declinesRequests(declinedId(limitsKey, target.mailbox)))) return;
  throw new ClientError('addressDeclines', 'the owner of this mailbox has stopped confirmation requests');
}

const callerHost = (key: KeyObject, caller: string, host: string): string => keyedHash(key, 'host', caller, host);

/**
 * @throws ClientError `tooManySubscriptions` if a client would exceed its limit of subscriptions for the host or to the
 * status topic
 */
async function rejectTooMany(
  { protocol, address, client, topic }: SubscriptionToConfirm,
  present: StoredSubscription | undefined,
  { subscriptions, limitsKey, settings }: RequestTools,
): Promise<void> {
  const target = channelOf(protocol).targetOf(address);
  const id = 'host' in target ? callerHost(limitsKey, client, target.host) : undefined;
  const max = settings.subscriptionsPerHost;
  // A repeated request does not create another subscription.
  if (id !== undefined && present?.callerHost !== id && (await subscriptions.countAtHost(id, max)) >= max) {
    const why = `this client has ${max} subscriptions at this host, including unconfirmed ones`;
    throw new ClientError('tooManySubscriptions', `${why}: end some of them, then subscribe again`);
  }
  const most = maxStatusSubscriptions;
  if (topic.uuid !== statusTopicUuid || present !== undefined) return;
  if ((await subscriptions.countOfTopic(topic, most)) < most) return;
  throw new ClientError(
    'tooManySubscriptions',
    `this client has ${most} subscriptions to this topic: end some of them`,
  );
}

/**
 * Counts a confirmation request towards the limits for its client and for its mailbox or host.
 * @throws ClientError `tooManyConfirmations`, with the exceeded limit and the time to wait; the request then holds no
 * slots
 */
async function reserveLimits(wanted: Wanted, tools: RequestTools): Promise<ReservedLimits> {
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

export async function releaseLimits(
  { toFree }: ReservedLimits,
  { limits }: Pick<RequestTools, 'limits'>,
): Promise<void> {
  await Promise.all(toFree.map((slot) => limits.releaseSlot(slot)));
}

// Each request takes a slot, even if the subscription already has unconfirmed requests, because a message is sent for
// each request. A request that replaces a failed request reuses the slot of the failed request, and counts towards an
// hourly limit instead.
async function takeOfHost(
  host: string,
  { request, requests }: Wanted,
  { limits, limitsKey, settings }: RequestTools,
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
  { limits, limitsKey, settings }: RequestTools,
): Promise<ReservedLimits> {
  const { messageId: holder, requestedAt: now, caller } = request;
  const until = now + dayMs;
  const { confirmationsPerMailboxAndCaller: own, confirmationsPerMailbox: all } = settings;
  const ownId = keyedHash(limitsKey, 'mailbox', caller, mailbox);
  const ownSlot = await limits.acquireSlot({ id: ownId, holder, max: own, until }, now);
  if (!('id' in ownSlot)) {
    throw refuse(ownSlot.freeAt, now, `this client sent ${own} confirmation requests to this mailbox within a day`);
  }
  const slot = await limits.acquireSlot({ id: keyedHash(limitsKey, 'mailbox', mailbox), holder, max: all, until }, now);
  if ('id' in slot) return { toFree: [ownSlot, slot] };
  await limits.releaseSlot(ownSlot);
  throw refuse(slot.freeAt, now, `this mailbox received ${all} confirmation requests within a day`);
}
