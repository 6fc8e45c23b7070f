import { type DynamoDBClient, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { defineStore } from '../contract/capabilities.ts';
import { type LedgerOutcome, ledgerOutcome } from '../model/delivery.ts';
import { dynamo, fromItem, type Item, toItem, unlessRefused } from './dynamo.ts';

/** The row of a message beside its tasks: what was published when, and how its tasks were cut. */
const messageRow = z.object({
  messageId: z.string(),
  jobId: z.string(),
  topicUuid: z.string(),
  topicName: z.string(),
  subject: z.optional(z.string()),
  timestamp: z.string(),
  bits: z.int(),
  bodyBase64: z.optional(z.string()),
  /** Epoch seconds. */
  expiresAt: z.int(),
});
export type MessageRow = z.infer<typeof messageRow>;

const taskRow = z.object({
  attempt: z.int(),
  state: z.enum(['claimed', 'recorded']),
  leaseUntil: z.int(),
  outcomes: z._default(z.record(z.string(), ledgerOutcome), {}),
});

export type Outcomes = Readonly<Record<string, LedgerOutcome>>;

/** One attempt at one task; times are epoch milliseconds. */
export interface Attempt {
  readonly messageId: string;
  readonly taskKey: string;
  readonly attempt: number;
}

/** `busy`: another copy works on it now. `done`: it was recorded, with these outcomes, or a later attempt began. */
export type Claim =
  | { readonly is: 'claimed' }
  | { readonly is: 'busy' }
  | { readonly is: 'done'; readonly outcomes: Outcomes };

const messageKey = (messageId: string): Item => toItem({ messageId, taskKey: 'message' });

const fanOut = (client: DynamoDBClient, table: string) => ({
  /** Opens the message's page in the ledger; answers the row that is there when it was opened before. */
  async open(row: MessageRow): Promise<MessageRow | undefined> {
    const put = await unlessRefused(
      client.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...toItem(row), ...messageKey(row.messageId) },
          ConditionExpression: 'attribute_not_exists(messageId)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    return put.isDone || put.stored === undefined ? undefined : fromItem(messageRow, put.stored);
  },
});

const deliver = (client: DynamoDBClient, table: string) => ({
  /** The body of a long message, which its tasks do not carry. */
  async bodyOf(messageId: string): Promise<string | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: messageKey(messageId) }));
    return Item && fromItem(messageRow, Item).bodyBase64;
  },
  /**
   * Claims one attempt at a task, until `leaseUntil`: granted when nobody has, when only earlier attempts were made, or
   * when whoever claimed it let the lease run out.
   */
  async claim(
    { messageId, taskKey, attempt }: Attempt,
    lease: { now: number; leaseUntil: number; expiresAt: number },
  ): Promise<Claim> {
    const update = await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ messageId, taskKey }),
          UpdateExpression: 'SET attempt = :attempt, #state = :claimed, leaseUntil = :until, expiresAt = :expires',
          ConditionExpression:
            'attribute_not_exists(messageId) OR attempt < :attempt OR (attempt = :attempt AND #state = :claimed AND leaseUntil < :now)',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':attempt': { N: String(attempt) },
            ':claimed': { S: 'claimed' },
            ':until': { N: String(lease.leaseUntil) },
            ':now': { N: String(lease.now) },
            ':expires': { N: String(lease.expiresAt) },
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
    if (update.isDone) return { is: 'claimed' };
    const row = fromItem(taskRow, update.stored ?? {});
    if (row.attempt === attempt && row.state === 'claimed') return { is: 'busy' };
    return { is: 'done', outcomes: row.attempt === attempt ? row.outcomes : {} };
  },
  /** Records how a claimed attempt ended; false when the lease had run out and another copy took over. */
  async record({ messageId, taskKey, attempt }: Attempt, leaseUntil: number, outcomes: Outcomes): Promise<boolean> {
    const update = await unlessRefused(
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ messageId, taskKey }),
          UpdateExpression: 'SET #state = :recorded, outcomes = :outcomes',
          ConditionExpression: 'attempt = :attempt AND #state = :claimed AND leaseUntil = :until',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':recorded': { S: 'recorded' },
            ':claimed': { S: 'claimed' },
            ':attempt': { N: String(attempt) },
            ':until': { N: String(leaseUntil) },
            ':outcomes': { M: toItem(outcomes) },
          },
        }),
      ),
    );
    return update.isDone;
  },
});

export const deliveries = defineStore({ name: 'deliveries', client: dynamo, permissions: { fanOut, deliver } });
