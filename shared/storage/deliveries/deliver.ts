import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { update } from '../update.ts';
import { admit } from './admit.ts';
import { deliverSeveral } from './deliver-several.ts';
import { deliverSingle } from './deliver-single.ts';
import { follow } from './follow.ts';
import { release } from './release.ts';
import { publicationRowKey } from './rows.ts';
import { turn } from './waiting-deliveries.ts';

export const deliver = (client: DynamoDBClient, table: string) => ({
  ...deliverSeveral(client, table),
  ...admit(client, table),
  ...release(client, table),
  ...deliverSingle(client, table),
  ...follow(client, table),
  ...turn(client, table),

  /** Keeps a long-lived message as long as its retries need it (epoch seconds); false where it is kept so long already. */
  async keepMessage(messageId: string, expiresAt: number): Promise<boolean> {
    const kept = await update(client, table, publicationRowKey(messageId), {
      set: { expiresAt },
      condition: '#expiresAt < :set_expiresAt',
    });
    return kept.isDone;
  },
});
