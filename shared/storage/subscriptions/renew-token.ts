import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StoredSubscription } from '../../model/subscriptions/subscription.ts';
import { update } from '../update.ts';
import { key } from './rows.ts';

export const renewToken = (client: DynamoDBClient, table: string) => ({
  /** Gives a pending subscription a new token in place of `old.tokenHash`; false when it changed meanwhile. */
  async renewToken(old: StoredSubscription, tokenHash: string, tokenExpiresAt: number): Promise<boolean> {
    const renewed = await update(client, table, key(old.uuid), {
      set: { tokenHash, tokenExpiresAt, hasConfirmationFailed: false, isAsked: false },
      condition: '#tokenHash = :old AND #isActive = :inactive',
      names: ['isActive'],
      values: { old: old.tokenHash, inactive: false },
    });
    return renewed.isDone || renewed.stored?.tokenHash?.S === tokenHash;
  },
});
