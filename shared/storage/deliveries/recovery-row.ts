import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { recoveryKey } from '../../domain/deliveries/task-key.ts';
import { fromItem, type Item } from '../dynamo.ts';
import { keyOf, looked } from './rows.ts';

const part = z.object({ from: z.string(), to: z.string() });

/** How far the recovery of a subscription has come. Times are RFC 3339. */
const recoveryRow = z.object({
  /** Of the step that is to be made next: a payload of another does nothing. */
  stepId: z.string(),
  /** What was published from then on, until then. */
  since: z.string(),
  until: z.string(),
  /** The part of it that is being passed over (without it, the whole), and what was passed over before. */
  pass: z.optional(part),
  passed: z.optional(part),
  /** The last message that was looked at. */
  place: z.optional(z.object({ timestamp: z.string(), messageId: z.string() })),
  /** How many it has had delivered. */
  sent: z.int(),
  /** How many steps in a row have found no room. */
  idle: z._default(z.int(), 0),
  isOver: z._default(z.boolean(), false),
  isStuck: looked.isStuck,
});
export type Recovery = z.infer<typeof recoveryRow>;

export const recoveryRowKey = (uuid: string): Item =>
  keyOf({ messageSlice: `${recoveryKey}#${uuid}`, taskKey: recoveryKey });

export const recoveryRowOf = (client: DynamoDBClient, table: string) => ({
  /** The recovery of a subscription; undefined where none was ever asked for, or the ledger has forgotten it. */
  async recoveryOf(uuid: string): Promise<Recovery | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: recoveryRowKey(uuid), ConsistentRead: true }),
    );
    return Item && fromItem(recoveryRow, Item);
  },
});
