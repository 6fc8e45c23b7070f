import { requestsToDrop } from '../../domain/subscriptions/confirmation-requests.ts';
import { valuesOfRequest } from '../../domain/subscriptions/pending-subscription.ts';
import {
  type ConfirmationRequest,
  type StatusNotice,
  type StoredSubscription,
  storedSubscription,
} from '../../domain/subscriptions/subscription.ts';
import type { StoredTopic } from '../../domain/topics/topic.ts';
import { countRows, type DynamoTable, fromItem, toItem } from '../dynamo.ts';
import { type Change, putIf, update, updateIf } from '../writes.ts';
import { removeStored } from './remove.ts';
import { key, read, rowOf, topicGeneration } from './rows.ts';

/** Changes the request with this token hash, unless the request was deleted. */
export async function changeRequest(
  table: DynamoTable,
  uuid: string,
  hash: string,
  change: Pick<Change, 'set' | 'remove'>,
): Promise<void> {
  await update(table, key(uuid), {
    ...change,
    condition: 'attribute_exists(#requests.#hash)',
    names: { hash },
  });
}

export const requestConfirmation = (table: DynamoTable) => ({
  /** Stores a subscription, or returns the subscription that already exists in the same generation of the topic. */
  async ensure(subscription: StoredSubscription): Promise<StoredSubscription | undefined> {
    const put = await putIf(table, rowOf(subscription), {
      condition: 'attribute_not_exists(#uuid) OR #generation <> :generation OR #expiresAt <= :now',
      values: { generation: subscription.generation, now: Math.floor(subscription.createdAt / 1000) },
    });
    if (put.isDone || put.stored === undefined) return undefined;
    const stored = fromItem(storedSubscription, put.stored);
    // If the response to an earlier attempt was lost, the stored row may come from this call.
    const isOurs = Object.keys(subscription.requests).every((hash) => hash in stored.requests);
    return isOurs ? undefined : stored;
  },
  ...addRequest(table),

  /** Records that the message for a confirmation request was queued. */
  markRequestSent: (uuid: string, hash: string): Promise<void> =>
    changeRequest(table, uuid, hash, { remove: ['requests.#hash.#isUnsent'] }),

  /** Counts the subscriptions with this `callerHost`, up to `most`. The index may be slightly out of date. */
  countAtHost: (callerHost: string, most: number): Promise<number> =>
    countRows(table, {
      IndexName: 'byCallerHost',
      KeyConditionExpression: 'callerHost = :callerHost',
      ExpressionAttributeValues: toItem({ ':callerHost': callerHost }),
      Limit: most,
    }),

  /** Counts the subscriptions to a generation of a topic, up to `most`. The index may be slightly out of date. */
  countOfTopic: ({ uuid, generation }: StoredTopic, most: number): Promise<number> =>
    countRows(table, {
      IndexName: 'byTopic',
      KeyConditionExpression: 'topicUuid = :topic AND topicGeneration = :generation',
      ExpressionAttributeValues: toItem({
        ':topic': uuid,
        ':generation': topicGeneration({ topicUuid: uuid, generation }),
      }),
      Limit: most,
    }),
});

const addRequest = (table: DynamoTable) => ({
  /**
   * Adds a confirmation request under the hash of its token. A confirmed subscription keeps its owner, policy, filter
   * and format until the request is confirmed. Deletes the request that the new request replaces. Returns false if the
   * requests or `isActive` have changed since `stored` was read.
   */
  async addRequest(
    stored: StoredSubscription,
    hash: string,
    request: ConfirmationRequest,
    replaced?: ConfirmationRequest,
  ): Promise<boolean> {
    const { uuid, createdAt, requests, isActive, confirmedAt } = stored;
    const dropped = requestsToDrop(requests, request.caller, request.requestedAt, replaced);
    const droppedNames = dropped.map((_, index) => `requests.#d${index}`);
    const isNew = confirmedAt === undefined && !isActive;
    const added = await update(table, key(uuid), {
      set: { 'requests.#hash': request, ...(isNew && valuesOfRequest(request)) },
      remove: droppedNames,
      condition: [
        '#isActive = :isActive AND #createdAt = :createdAt AND size(#requests) = :size',
        ...droppedNames.map((name) => `attribute_exists(#${name})`),
      ].join(' AND '),
      values: { isActive, createdAt, size: Object.keys(requests).length },
      names: { hash, ...Object.fromEntries(dropped.map((one, index) => [`d${index}`, one])) },
    });
    // If the response to an earlier attempt was lost, the request is already stored.
    return added.isDone || added.stored?.requests?.M?.[hash] !== undefined;
  },
});

export const renewRequest = (table: DynamoTable) => ({
  ...read(table),
  ...addRequest(table),

  /**
   * Records that an event about the subscription's state is about to be published. Returns false if the subscription
   * was deleted.
   */
  recordNotice: ({ uuid, generation }: StoredSubscription, notified: StatusNotice): Promise<boolean> =>
    updateIf(table, key(uuid), {
      set: { notified },
      condition: '#generation = :generation',
      values: { generation },
    }),
});

// Some receivers confirm every request that they receive. Without this condition, any client could take over such a
// receiver's subscription from another client.
const mayGoOver =
  '((#isActive = :false AND attribute_not_exists(#pausedReason)) OR ' +
  '#owner = #requests.#hash.#caller OR #requests.#hash.#caller = :by)';

export const confirm = (table: DynamoTable) => ({
  /**
   * If the token with this hash is valid at `now` (epoch milliseconds), activates the subscription with the values from
   * the token's request. If the token was used before, changes nothing and returns the subscription. If `by` is given,
   * a confirmed subscription can be transferred only to the client `by`.
   * @returns undefined if the token is not valid
   */
  async confirm(uuid: string, hash: string, now: number, by?: string): Promise<StoredSubscription | undefined> {
    const confirmed = await update(table, key(uuid), {
      set: { isActive: true, 'requests.#hash.#confirmedAt': now },
      compute: {
        activeTopic: '#topicGeneration',
        activeSince: 'if_not_exists(#activeSince, :now)',
        confirmedAt: 'if_not_exists(#confirmedAt, :now)',
        countdownSeconds: '#requests.#hash.#countdownSeconds',
        maxRetries: '#requests.#hash.#maxRetries',
        subjects: 'if_not_exists(#requests.#hash.#subjects, :none)',
        deliveryFormat: 'if_not_exists(#requests.#hash.#deliveryFormat, :null)',
        owner: '#requests.#hash.#caller',
        // A confirmation request by email has no slot. The uuid then replaces the host, so that no limit counts the
        // subscription.
        callerHost: 'if_not_exists(#requests.#hash.#hostSlot.#id, #uuid)',
      },
      remove: ['pausedReason', 'isFailing', 'failingSince', 'expiresAt'],
      condition: [
        '#requests.#hash.#expiresAt > :now AND attribute_not_exists(#requests.#hash.#confirmedAt)',
        ...(by === undefined ? [] : [mayGoOver]),
      ].join(' AND '),
      values: { now, none: [], null: null, ...(by !== undefined && { by, false: false }) },
      names: { hash },
      returns: 'ALL_NEW',
    });
    if (confirmed.isDone) return fromItem(storedSubscription, confirmed.result.Attributes ?? {});
    const stored = confirmed.stored && fromItem(storedSubscription, confirmed.stored);
    const request = stored?.requests[hash];
    const isRepeated = request?.confirmedAt !== undefined && request.expiresAt > now && stored?.isActive;
    return isRepeated && stored.owner === request.caller ? stored : undefined;
  },

  /** Deletes a confirmed subscription whose topic no longer exists. */
  removeConfirmed: (stored: StoredSubscription) => removeStored(table, stored),
});
