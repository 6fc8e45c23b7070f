import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PauseReason } from '../../model/subscriptions/subscription.ts';
import { update } from '../update.ts';
import { key, pausing } from './rows.ts';

export const pause = (client: DynamoDBClient, table: string) => ({
  /** Pauses an active subscription (`pausing` says what that means); false when it was not active. */
  async pause(uuid: string, reason: PauseReason): Promise<boolean> {
    const paused = await update(client, table, key(uuid), {
      ...pausing(reason),
      condition: '#isActive = :active',
      values: { active: true },
    });
    return paused.isDone;
  },
});
