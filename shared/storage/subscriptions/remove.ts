import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isConfirmed } from '../../domain/subscriptions/confirmation-requests.ts';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { readRow } from '../dynamo.ts';
import { deleteIf, updateIf } from '../update.ts';
import { key } from './rows.ts';

/** Deletes a row, unless the row was created again or transferred since it was read. */
export const removeStored = (
  client: DynamoDBClient,
  table: string,
  { uuid, generation, createdAt, owner }: StoredSubscription,
): Promise<boolean> =>
  deleteIf(client, table, key(uuid), {
    condition:
      '#generation = :generation AND #createdAt = :createdAt AND (#owner = :owner OR attribute_not_exists(#owner))',
    values: { generation, createdAt, owner },
  });

export const remove = (client: DynamoDBClient, table: string) => {
  const removePending = ({ uuid, createdAt, requests }: StoredSubscription) =>
    deleteIf(client, table, key(uuid), {
      condition:
        '#createdAt = :createdAt AND size(#requests) = :size AND #isActive = :no AND attribute_not_exists(#pausedReason)',
      values: { createdAt, size: Object.keys(requests).length, no: false },
    });

  const withdraw = ({ uuid, createdAt, requests }: StoredSubscription, hashes: readonly string[]) => {
    const withdrawn = hashes.map((_, index) => `requests.#h${index}`);
    return updateIf(client, table, key(uuid), {
      remove: withdrawn,
      condition: [
        '#createdAt = :createdAt AND size(#requests) = :size',
        ...withdrawn.map((one) => `attribute_exists(#${one}) AND attribute_not_exists(#${one}.#confirmedAt)`),
      ].join(' AND '),
      values: { createdAt, size: Object.keys(requests).length },
      names: Object.fromEntries(hashes.map((hash, index) => [`h${index}`, hash])),
    });
  };

  return {
    /**
     * Deletes the part of a subscription that a client sees (`viewFor`): the whole subscription, or only the client's
     * requests. The latest request for an unconfirmed subscription is deleted together with the row.
     * @returns false if the subscription has changed since it was read
     */
    async removeView(stored: StoredSubscription, view: StoredSubscription): Promise<boolean> {
      if (view === stored) return removeStored(client, table, stored);
      const hashes = Object.keys(view.requests);
      const isLast = !isConfirmed(stored) && hashes.length === Object.keys(stored.requests).length;
      return isLast ? removePending(stored) : withdraw(stored, hashes);
    },
  };
};

export const removeByLink = (client: DynamoDBClient, table: string) => ({
  /** Deletes and returns the subscription if it belongs to the given generation of its topic. */
  async removeOfGeneration(uuid: string, generation: string): Promise<StoredSubscription | undefined> {
    for (;;) {
      const stored = await readRow(storedSubscription, client, table, key(uuid));
      if (stored?.generation !== generation) return undefined;
      if (await removeStored(client, table, stored)) return stored;
      // Another request has changed the subscription's owner or created the subscription again.
    }
  },
});
