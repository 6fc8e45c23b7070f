import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import type { KnownDelivery } from '../../domain/deliveries/delivery.ts';
import { mostBits } from '../../domain/deliveries/plan-tasks.ts';
import { slicesOf } from '../../domain/deliveries/slice.ts';
import { ownTaskPrefix, protocolOf, publicationKey, subscriptionOf } from '../../domain/deliveries/task-key.ts';
import { fromItem, type Item, toItem } from '../dynamo.ts';
import { overTable } from '../table-store.ts';
import { messageItems } from './known.ts';
import { loggedMessage, loggedSingle, taskRow } from './row-schemas.ts';
import { messageSlice, type OnRowFault, readRows } from './rows.ts';

/** What the ledger knows of one subscription; without one, that of the subscriptions of a task nothing was recorded. */
interface Told {
  readonly protocol: string;
  readonly subscription?: string;
  readonly task?: string;
  readonly known: KnownDelivery;
}

/** What a row tells. Who was not reached by a task for several has a row of their own, which tells it. */
function tellsOf(item: Item): Told[] {
  const task = item.taskKey?.S ?? '';
  if (task === publicationKey) return [];
  try {
    if (task.startsWith(ownTaskPrefix)) {
      const own = fromItem(loggedSingle, item);
      return [{ protocol: own.protocol, subscription: subscriptionOf(task), known: { own } }];
    }
    const protocol = protocolOf(task);
    const { state, outcomes } = fromItem(taskRow, item);
    if (state === 'claimed') return [{ protocol, task, known: {} }];
    return Object.entries(outcomes).flatMap(([subscription, shared]) =>
      shared.next === 'none' ? [{ protocol, subscription, known: { shared } }] : [],
    );
  } catch {
    // A row that cannot be read holds up none of the others, and is named.
    return [{ protocol: '', task, known: {} }];
  }
}

const read = (client: DynamoDBClient, table: string) => ({
  /**
   * By how many bits each of these messages was cut; undefined where its row does not say so. The ledger knows those that it answers.
   * @param onFault hears of each row that cannot be read
   */
  async bitsOf(ids: readonly string[], onFault: OnRowFault): Promise<ReadonlyMap<string, number | undefined>> {
    const items = await messageItems(client, table, ids);
    const readable = readRows(loggedMessage, items, onFault);
    const bits = new Map(readable.map((message) => [message.messageId, message.bits]));
    return new Map(items.map(({ messageId }) => messageId?.S ?? '').map((id) => [id, bits.get(id)]));
  },

  /** What the ledger has of a message that was cut by so many bits, a page of up to 1 MB after the other. */
  async *ofMessage(messageId: string, bits: number = mostBits): AsyncGenerator<Told[], void> {
    for (let slice = 0; slice < slicesOf(bits); slice++) {
      const asked = {
        TableName: table,
        KeyConditionExpression: 'messageSlice = :slice',
        ExpressionAttributeValues: toItem({ ':slice': messageSlice({ messageId, slice }) }),
      };
      for await (const { Items = [] } of paginateQuery({ client }, asked)) yield Items.flatMap(tellsOf);
    }
  },
});

/** The ledger by message: who was told of it. Apart from the rest, which every delivery carries. */
export const told = defineStore({ name: 'told', ...overTable, permissions: { read } });
