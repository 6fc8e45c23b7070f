import * as z from 'zod/mini';
import { deliveryOutcome } from '../../domain/deliveries/outcome.ts';
import { type DynamoTable, fromItem, queryPages, toItem } from '../dynamo.ts';
import { singleRow } from './row-schemas.ts';
import { type TaskId, waitingPrefix } from './rows.ts';

const isEvent = '(attribute_not_exists(isConfirmation) OR isConfirmation = :no)';

/**
 * Returns the query for a subscription's pending or failed events. The query excludes confirmation requests, because
 * any client can cause them.
 */
export const eventsOf = (subscriptionUuid: string, prefix: string) => ({
  IndexName: 'bySubscription',
  KeyConditionExpression: '#owner = :owner AND begins_with(statusKey, :prefix)',
  FilterExpression: isEvent,
  ExpressionAttributeNames: { '#owner': 'owner' },
  ExpressionAttributeValues: toItem({ ':owner': subscriptionUuid, ':prefix': prefix, ':no': false }),
});

/**
 * Returns the query for a subscription's pending events, oldest first. Excludes stuck rows. Read page by page, because
 * DynamoDB applies `Limit` before the filter.
 */
export const waitingEvents = (subscriptionUuid: string) => ({
  ...eventsOf(subscriptionUuid, waitingPrefix),
  FilterExpression: `attribute_not_exists(isStuck) AND ${isEvent}`,
});

// Usually, no rows are stuck, so reading the first page is sufficient.
const pageSize = 25;

export const waitingDelivery = z.object({
  ...z.pick(singleRow, { messageShard: true, messageId: true, taskKey: true, attempt: true, protocol: true }).shape,
  statusKey: z.string(),
  state: z.string(),
  outcome: z.optional(deliveryOutcome),
  notBefore: z.optional(z.int()),
});
export type WaitingDelivery = z.infer<typeof waitingDelivery> & Pick<TaskId, 'publishedAt' | 'rowShard'>;

export const listWaiting = (table: DynamoTable) => ({
  /** Returns a subscription's oldest pending events, oldest first. The index may be slightly out of date. */
  async listWaiting(subscriptionUuid: string, most: number): Promise<WaitingDelivery[]> {
    const oldest: WaitingDelivery[] = [];
    for await (const items of queryPages(table, waitingEvents(subscriptionUuid), { pageSize })) {
      for (const item of items) {
        const row = fromItem(waitingDelivery, item);
        const order = row.statusKey.slice(waitingPrefix.length);
        const rowShard = Number.parseInt(row.messageShard.split('#')[1] ?? '0', 16);
        oldest.push({ ...row, rowShard, publishedAt: order.slice(0, order.indexOf('#')) });
      }
      if (oldest.length >= most) break;
    }
    return oldest.slice(0, most);
  },
});
