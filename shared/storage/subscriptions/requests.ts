import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { pendingExpiry, requestsToDrop } from '../../domain/subscriptions/confirmation-requests.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { toItem, unlessConflict } from '../dynamo.ts';
import { key } from './rows.ts';

// What was confirmed once does not go by itself, either.
const shownSets = [
  'countdownSeconds = :countdown, maxRetries = :max, subjects = :subjects',
  '#owner = :caller, expiresAt = :expiresAt',
];

export const addRequest = (client: DynamoDBClient, table: string) => ({
  /**
   * Opens another request to confirm a subscription, under the hash of its token. One that was never confirmed shows what it
   * asks; what was is its subscriber's, with policy and filter, until another request is confirmed. False when the requests
   * changed since `stored` was read, or whether it is active.
   */
  async addRequest(stored: StoredSubscription, hash: string, request: ConfirmationRequest): Promise<boolean> {
    const { uuid, createdAt, requests, isActive, confirmedAt } = stored;
    const dropped = requestsToDrop(requests, request.caller, request.askedAt);
    const droppedNames = dropped.map((_, index) => `requests.#d${index}`);
    const isNew = confirmedAt === undefined && !isActive;
    const sets = ['requests.#hash = :request', ...(isNew ? shownSets : [])];
    const added = await unlessConflict(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key(uuid),
          UpdateExpression: `SET ${sets.join(', ')}${dropped.length > 0 ? ` REMOVE ${droppedNames.join(', ')}` : ''}`,
          ConditionExpression: [
            'isActive = :isActive AND createdAt = :createdAt AND size(requests) = :size',
            ...droppedNames.map((name) => `attribute_exists(${name})`),
          ].join(' AND '),
          ExpressionAttributeNames: {
            '#hash': hash,
            ...(isNew && { '#owner': 'owner' }),
            ...Object.fromEntries(dropped.map((one, index) => [`#d${index}`, one])),
          },
          ExpressionAttributeValues: toItem({
            ':request': request,
            ...(isNew && {
              ':countdown': request.countdownSeconds,
              ':max': request.maxRetries,
              ':subjects': request.subjects,
              ':caller': request.caller,
              ':expiresAt': pendingExpiry(request),
            }),
            ':isActive': isActive,
            ':createdAt': createdAt,
            ':size': Object.keys(requests).length,
          }),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    // Our own write, whose answer was lost, is not somebody else's.
    return added.isDone || added.stored?.requests?.M?.[hash] !== undefined;
  },
});
