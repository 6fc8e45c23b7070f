import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type StoredSubscription, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem } from '../dynamo.ts';
import { update } from '../update.ts';
import { removeStored } from './remove.ts';
import { key } from './rows.ts';

// Some receivers confirm every request that they receive. Without this condition, any client could take over such a
// receiver's subscription from another client.
const mayGoOver =
  '((#isActive = :false AND attribute_not_exists(#pausedReason)) OR ' +
  '#owner = #requests.#hash.#caller OR #requests.#hash.#caller = :by)';

export const confirm = (client: DynamoDBClient, table: string) => ({
  /**
   * If the token with this hash is valid at `now` (epoch milliseconds), activates the subscription with the values from
   * the token's request. If the token was used before, changes nothing and returns the subscription. If `by` is given,
   * a confirmed subscription can be transferred only to the client `by`.
   * @returns undefined if the token is not valid
   */
  async confirm(uuid: string, hash: string, now: number, by?: string): Promise<StoredSubscription | undefined> {
    const confirmed = await update(client, table, key(uuid), {
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
  removeConfirmed: (stored: StoredSubscription) => removeStored(client, table, stored),
});
