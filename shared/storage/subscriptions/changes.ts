import type { HealthChange } from '../../domain/deliveries/health.ts';
import { clockMs } from '../../domain/deliveries/times.ts';
import {
  type PauseReason,
  type StoredSubscription,
  storedSubscription,
} from '../../domain/subscriptions/subscription.ts';
import type { SubscriptionChange } from '../../domain/subscriptions/subscription-patch.ts';
import { batchGet } from '../batches.ts';
import { type DynamoTable, fromItem, readRow } from '../dynamo.ts';
import { update, updateIf } from '../writes.ts';
import { changeRequest } from './requests.ts';
import { key } from './rows.ts';

export const change = (table: DynamoTable) => ({
  /**
   * Changes and returns a subscription; returns undefined if the subscription was paused, deleted or transferred since
   * it was read.
   */
  async change(seen: StoredSubscription, set: SubscriptionChange): Promise<StoredSubscription | undefined> {
    const { generation, createdAt, owner } = seen;
    const changed = await update(table, key(seen.uuid), {
      set,
      condition:
        '#isActive = :active AND #generation = :generation AND #createdAt = :createdAt AND ' +
        '(attribute_not_exists(#owner) OR #owner = :owner)',
      values: { active: true, generation, createdAt, owner },
      returns: 'ALL_NEW',
    });
    return changed.isDone ? fromItem(storedSubscription, changed.result.Attributes ?? {}) : undefined;
  },
});

/**
 * Returns the change that pauses a subscription. Pausing removes the subscription from the fan-out index and deletes
 * its open requests. Afterwards, only a new confirmation request can reactivate the subscription.
 */
const pausing = (reason: PauseReason) => ({
  set: { isActive: false, pausedReason: reason, requests: {} },
  remove: ['activeTopic', 'activeSince'],
});

/** Builds the update of a subscription's health. Attempts end in any order: a result replaces only older results. */
function healthUpdate({ pause, ...set }: HealthChange) {
  if (pause !== undefined) {
    const paused = pausing(pause);
    const condition = set.failingSince === undefined ? [] : ['#failingSince = :set_failingSince'];
    return { ...paused, set: { ...set, ...paused.set }, condition };
  }
  if (set.failingSince !== undefined) {
    const isLatest = '(attribute_not_exists(#lastDeliveredAt) OR #lastDeliveredAt <= :set_failingSince)';
    return { set, condition: ['attribute_not_exists(#failingSince)', isLatest] };
  }
  if (set.lastDeliveredAt === undefined) return { set, condition: [] };
  const isLatest = '(attribute_not_exists(#failingSince) OR #failingSince <= :set_lastDeliveredAt)';
  return { set, remove: ['failingSince'], condition: [isLatest] };
}

export const deliver = (table: DynamoTable) => ({
  async getMany(uuids: readonly string[]): Promise<StoredSubscription[]> {
    const found = await batchGet(table, uuids.map(key), { ConsistentRead: true });
    return found.map((item) => fromItem(storedSubscription, item));
  },

  /** Records a health change if the subscription is active in the same generation of its topic. */
  async recordHealth({ uuid, generation }: StoredSubscription, change: HealthChange): Promise<void> {
    const { condition, ...rest } = healthUpdate(change);
    await update(table, key(uuid), {
      ...rest,
      condition: ['#generation = :generation', '#isActive = :active', ...condition].join(' AND '),
      values: { generation, active: true },
    });
  },

  /** Records whether the last attempt to deliver the confirmation request with this token hash failed. */
  markRequestFailed: (uuid: string, hash: string, hasFailed = true): Promise<void> =>
    changeRequest(table, uuid, hash, { set: { 'requests.#hash.#hasFailed': hasFailed } }),
});

export const pause = (table: DynamoTable) => ({
  /**
   * Pauses a subscription because an email to it bounced or caused a complaint. `sentAt` is in epoch milliseconds.
   * @returns false if the subscription is inactive, belongs to another topic generation, or was confirmed after the
   * email was sent
   */
  async pause(uuid: string, reason: PauseReason, mail: { generation: string; sentAt: number }): Promise<boolean> {
    const { set, remove } = pausing(reason);
    return updateIf(table, key(uuid), {
      set: { ...set, lastFailure: { class: 'email', at: mail.sentAt } },
      remove,
      condition:
        '#isActive = :active AND #generation = :generation AND ' +
        '(attribute_not_exists(#activeSince) OR #activeSince <= :latest)',
      values: { active: true, generation: mail.generation, latest: mail.sentAt + clockMs },
    });
  },

  /** Expires the confirmation request with the given message id. Returns false if no open request has this id. */
  async expireRequest(uuid: string, messageId: string): Promise<boolean> {
    const { requests = {} } = (await readRow(storedSubscription, table, key(uuid))) ?? {};
    const [hash] = Object.entries(requests).find(([, request]) => request.messageId === messageId) ?? [];
    if (hash === undefined) return false;
    return updateIf(table, key(uuid), {
      set: { 'requests.#hash.#hasFailed': true, 'requests.#hash.#expiresAt': 0 },
      condition: 'attribute_exists(#requests.#hash) AND attribute_not_exists(#requests.#hash.#confirmedAt)',
      names: { hash },
    });
  },
});
