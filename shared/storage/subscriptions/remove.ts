import { inParts } from '../../domain/in-parts.ts';
import { isConfirmed } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import type { CleanUpPayload } from '../../domain/topics/topic.ts';
import { type DynamoTable, type Item, queryPages, readRow, toItem } from '../dynamo.ts';
import { deleteIf, updateIf } from '../writes.ts';
import { key, topicGeneration } from './rows.ts';

/** Deletes a row, unless the row was created again or transferred since it was read. */
export const removeStored = (
  table: DynamoTable,
  { uuid, generation, createdAt, owner }: StoredSubscription,
): Promise<boolean> =>
  deleteIf(table, key(uuid), {
    condition:
      '#generation = :generation AND #createdAt = :createdAt AND (#owner = :owner OR attribute_not_exists(#owner))',
    values: { generation, createdAt, owner },
  });

const removePending = (table: DynamoTable, { uuid, createdAt, requests }: StoredSubscription) =>
  deleteIf(table, key(uuid), {
    condition:
      '#createdAt = :createdAt AND size(#requests) = :size AND #isActive = :no AND attribute_not_exists(#pausedReason)',
    values: { createdAt, size: Object.keys(requests).length, no: false },
  });

const withdraw = (table: DynamoTable, { uuid, createdAt, requests }: StoredSubscription, hashes: readonly string[]) => {
  const withdrawn = hashes.map((_, index) => `requests.#h${index}`);
  return updateIf(table, key(uuid), {
    remove: withdrawn,
    condition: [
      '#createdAt = :createdAt AND size(#requests) = :size',
      ...withdrawn.map((one) => `attribute_exists(#${one}) AND attribute_not_exists(#${one}.#confirmedAt)`),
    ].join(' AND '),
    values: { createdAt, size: Object.keys(requests).length },
    names: Object.fromEntries(hashes.map((hash, index) => [`h${index}`, hash])),
  });
};

export const remove = (table: DynamoTable) => ({
  /**
   * Deletes the part of a subscription that a client sees (`viewFor`): the whole subscription, or only the client's
   * requests. The latest request for an unconfirmed subscription is deleted together with the row.
   * @returns false if the subscription has changed since it was read
   */
  async removeView(stored: StoredSubscription, view: StoredSubscription): Promise<boolean> {
    if (view === stored) return removeStored(table, stored);
    const hashes = Object.keys(view.requests);
    const isLast = !isConfirmed(stored) && hashes.length === Object.keys(stored.requests).length;
    return isLast ? removePending(table, stored) : withdraw(table, stored, hashes);
  },
});

export const removeByLink = (table: DynamoTable) => ({
  /** Deletes and returns the subscription if it belongs to the given generation of its topic. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    for (;;) {
      const stored = await readRow(storedSubscription, table, key(uuid));
      if (stored?.generation !== generation) return undefined;
      if (await removeStored(table, stored)) return stored;
      // Another request has changed the subscription's owner or created the subscription again.
    }
  },
});

type Place = NonNullable<CleanUpPayload['after']>;

// The number of parallel deletions. An index accepts at most 1,000 writes per second for one topic.
const width = 50;
const pageSize = 500;

const placeOf = (item: Item): Place => ({
  uuid: item.uuid?.S ?? '',
  topicGeneration: item.topicGeneration?.S ?? '',
});

/** `after` is the position to continue from, or undefined for the beginning. */
type Removed = { readonly isDone: true } | { readonly isDone: false; readonly after: Place | undefined };

// Keep the row if a subscription to the topic's next generation has replaced it.
const removeAt = (table: DynamoTable, { uuid, topicGeneration }: Place) =>
  deleteIf(table, key(uuid), { condition: '#topicGeneration = :seen', values: { seen: topicGeneration } });

export const removeByTopic = (table: DynamoTable) => ({
  /**
   * Deletes the subscriptions of all topic generations before `work.before`, except the present generation, until
   * time runs out. The next run repeats deletions that were throttled. Safe to repeat even while the next generation
   * begins, because the present generation is read again for each page.
   */
  async removeByTopic(
    { topicUuid, before, after }: CleanUpPayload,
    present: () => Promise<string | undefined>,
    hasTime: () => boolean,
  ): Promise<Removed> {
    const query = {
      IndexName: 'byTopic',
      KeyConditionExpression: 'topicUuid = :topic AND topicGeneration < :before',
      ExpressionAttributeValues: toItem({
        ':topic': topicUuid,
        ':before': topicGeneration({ topicUuid, generation: before }),
      }),
    };
    const start = after && toItem({ topicUuid, ...after });
    let last = after;
    try {
      for await (const items of queryPages(table, query, { pageSize, start })) {
        const kept = topicGeneration({ topicUuid, generation: (await present()) ?? '' });
        for (const some of inParts(items.map(placeOf), width)) {
          const old = some.filter((place) => place.topicGeneration !== kept);
          await Promise.all(old.map((place) => removeAt(table, place)));
          last = some.at(-1);
          if (!hasTime()) return { isDone: false, after: last };
        }
      }
      return { isDone: true };
    } catch (error) {
      if (hasTime()) throw error;
      return { isDone: false, after: last };
    }
  },
});
