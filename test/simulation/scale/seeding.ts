import type { StoredTopic } from '../../../shared/domain/topics/topic.ts';
import { type Item, toItem } from '../../../shared/storage/dynamo.ts';
import { rowOf } from '../../../shared/storage/subscriptions/rows.ts';
import { aSubscription, aTopic } from '../../harness/builders.ts';
import type { Chance } from '../clock/chance.ts';
import type { MemoryTable } from '../dynamodb/memory-table.ts';
import type { ScaleOptions } from './options.ts';
import { addressOf } from './receivers.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The generation of simulated topics. This version 7 UUID contains an old time, so it sorts before newer UUIDs. */
export const generation = '01900000-0000-7000-8000-000000000000';

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

function uuidBy(chance: Chance): string {
  const word = () => hex(chance.int(0, 0xffffffff), 8);
  const [a, b, c, d] = [word(), word(), word(), word()];
  return `${a}-${b.slice(0, 4)}-8${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

const put = (table: MemoryTable, item: Item): void =>
  table.commit({ table, key: table.keyOf(item, false), before: undefined, after: item });

export function seedTopic(topics: MemoryTable): StoredTopic {
  const topic = aTopic({ name: 'births', generation });
  put(topics, toItem(topic));
  return topic;
}

/**
 * Stores confirmed subscribers directly in the table, with each subscriber's number in the address. All subscribers
 * subscribed a month ago and received their last message an hour ago.
 */
export function seedSubscribers(
  table: MemoryTable,
  topic: StoredTopic,
  { subscribers, policy, now }: Pick<ScaleOptions, 'subscribers' | 'policy'> & { readonly now: number },
  chance: Chance,
  onProgress: (count: number) => void,
): void {
  const like = rowOf(
    aSubscription(topic, {
      ...{ ...policy, createdAt: now - 30 * dayMs },
      ...{ confirmedAt: now - 30 * dayMs, activeSince: now - 30 * dayMs },
      ...{ lastDeliveredAt: now - hourMs, tokenExpiresAt: now - 27 * dayMs },
    }),
  );
  for (let number = 0; number < subscribers; number += 1) {
    put(table, { ...like, uuid: { S: uuidBy(chance) }, address: { S: addressOf(number) } });
    if (number % 10_000 === 0) onProgress(number);
  }
}
