import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { KnownDelivery } from '../../domain/deliveries/delivery.ts';
import { bucketOf } from '../../domain/deliveries/plan-tasks.ts';
import { sliceOf } from '../../domain/deliveries/slice.ts';
import { bucketTaskKey, ownTaskKey } from '../../domain/deliveries/task-key.ts';
import type { Protocol } from '../../domain/subscriptions/subscription.ts';
import { batchGet } from '../batch-get.ts';
import { fromItem, type Item } from '../dynamo.ts';
import { type LoggedMessage, type LoggedSingle, loggedMessage, loggedSingle, taskRow } from './row-schemas.ts';
import { publicationRowKey, rowKey } from './rows.ts';

/** What the ledger knows, with what it takes to open it again. */
export interface LoggedDelivery extends KnownDelivery {
  readonly own?: LoggedSingle | undefined;
  /** How the task of its bucket stands; undefined where there is none. */
  readonly bucket?: 'claimed' | 'recorded' | undefined;
}

/** The attributes of a request, by names that no reserved word can be. */
const projectionOf = (names: readonly string[]) => ({
  ProjectionExpression: names.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
});

const keyText = ({ messageSlice: slice, taskKey }: Item): string => `${slice?.S} ${taskKey?.S}`;

/** The rows of what was published under these ids, without the bodies; 100 a request. */
export const messageItems = (client: DynamoDBClient, table: string, ids: readonly string[]): Promise<Item[]> =>
  batchGet(client, table, ids.map(publicationRowKey), projectionOf(Object.keys(loggedMessage.shape)));

export const known = (client: DynamoDBClient, table: string) => ({
  /** What was published under these ids, by id, without the bodies; 100 a request. */
  async messages(ids: readonly string[]): Promise<ReadonlyMap<string, LoggedMessage>> {
    const items = await messageItems(client, table, ids);
    return new Map(items.map((item) => fromItem(loggedMessage, item)).map((message) => [message.messageId, message]));
  },

  /**
   * What the ledger knows of these messages for one subscription, by message id, from its two rows of each: 50 messages a request.
   * Of a task for several nothing is read about the others. `mayBeOld`: by a moment, for half the price.
   */
  async known(
    { uuid, protocol }: { readonly uuid: string; readonly protocol: Protocol },
    messages: readonly Pick<LoggedMessage, 'messageId' | 'bits'>[],
    mayBeOld = false,
  ): Promise<ReadonlyMap<string, LoggedDelivery>> {
    const cut = messages.flatMap(({ messageId, bits }) => (bits === undefined ? [] : [{ messageId, bits }]));
    const keys = cut.map(({ messageId, bits }) => {
      const slice = sliceOf(uuid, bits);
      const bucket = bucketTaskKey(protocol, bits, bucketOf(uuid, bits));
      return {
        messageId,
        shared: rowKey({ messageId, slice, taskKey: bucket }),
        own: rowKey({ messageId, slice, taskKey: ownTaskKey(uuid) }),
      };
    });
    const reading = projectionOf(Object.keys(loggedSingle.shape));
    const items = await batchGet(
      client,
      table,
      keys.flatMap(({ shared, own }) => [shared, own]),
      {
        // Whoever makes a delivery again must not take what has just ended for something that waits.
        ConsistentRead: !mayBeOld,
        ProjectionExpression: `${reading.ProjectionExpression}, outcomes.#uuid`,
        ExpressionAttributeNames: { ...reading.ExpressionAttributeNames, '#uuid': uuid },
      },
    );
    const rows = new Map(items.map((item) => [keyText(item), item]));
    return new Map(
      keys.map(({ messageId, shared, own }) => {
        const [task, single] = [rows.get(keyText(shared)), rows.get(keyText(own))];
        const told = task && fromItem(z.pick(taskRow, { state: true, outcomes: true }), task);
        const known = { bucket: told?.state, shared: told?.outcomes[uuid] };
        return [messageId, { ...known, own: single && fromItem(loggedSingle, single) }];
      }),
    );
  },
});
