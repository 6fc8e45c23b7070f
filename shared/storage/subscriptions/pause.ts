import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { clockMs } from '../../domain/deliveries/times.ts';
import { type PauseReason, storedSubscription } from '../../domain/subscriptions/subscription.ts';
import { fromItem, unlessConflict } from '../dynamo.ts';
import { update } from '../update.ts';
import { key, pausing } from './rows.ts';

export const pause = (client: DynamoDBClient, table: string) => ({
  /**
   * Pauses an active subscription (`pausing` says what that means) for what became of a mail; false when it was not active, or
   * is of another generation, or was confirmed after the mail was sent (epoch milliseconds): who returns has mended it.
   */
  async pause(uuid: string, reason: PauseReason, mail: { generation: string; sentAt: number }): Promise<boolean> {
    const paused = await update(client, table, key(uuid), {
      ...pausing(reason),
      condition:
        '#isActive = :active AND #generation = :generation AND ' +
        '(attribute_not_exists(#activeSince) OR #activeSince <= :latest)',
      names: ['generation'],
      values: { active: true, generation: mail.generation, latest: mail.sentAt + clockMs },
    });
    return paused.isDone;
  },

  /** Ends the request to confirm that a mail asked for: its link confirms no more. False when there is none that is open. */
  async endRequest(uuid: string, messageId: string): Promise<boolean> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: key(uuid), ConsistentRead: true }));
    const requests = Item ? fromItem(storedSubscription, Item).requests : {};
    const [hash] = Object.entries(requests).find(([, request]) => request.messageId === messageId) ?? [];
    if (hash === undefined) return false;
    const ended = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression: 'SET requests.#hash.hasFailed = :true, requests.#hash.expiresAt = :past',
          ConditionExpression: 'attribute_exists(requests.#hash) AND attribute_not_exists(requests.#hash.confirmedAt)',
          ExpressionAttributeNames: { '#hash': hash },
          ExpressionAttributeValues: { ':true': { BOOL: true }, ':past': { N: '0' } },
        }),
      ),
    );
    return ended.isDone;
  },
});
