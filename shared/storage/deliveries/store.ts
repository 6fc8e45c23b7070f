import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import { tableStore } from '../table-store.ts';
import { deliverBatch, extendBatch } from './batch-deliveries.ts';
import { sweep } from './due-rows.ts';
import { find, list } from './find-deliveries.ts';
import { park, visitParking } from './parking.ts';
import { fanOut, keepMessages, publish, readMessage } from './publications.ts';
import { continueRecovery, startRecovery } from './recoveries.ts';
import { openSingles, redeliverFailed, reopen } from './redeliveries.ts';
import { afterEffects, release, scheduleStatus } from './rows.ts';
import { deliverSingle, openSingle } from './single-deliveries.ts';
import { readStatus } from './subscription-status.ts';
import { listWaiting } from './waiting-deliveries.ts';

const deliver = (client: DynamoDBClient, table: string) => ({
  ...deliverBatch(client, table),
  ...extendBatch(client, table),
  ...deliverSingle(client, table),
  ...listWaiting(client, table),
  ...park(client, table),
  ...release(client, table),
  ...scheduleStatus(client, table),
  ...afterEffects(client, table),
  ...keepMessages(client, table),
});

const redeliverKnown = (client: DynamoDBClient, table: string) => ({
  ...readMessage(client, table),
  ...openSingles(client, table),
  ...reopen(client, table),
});

/** Messages and their deliveries, with one row for each message, batch delivery and single delivery. */
export const deliveries = defineStore({
  name: 'deliveries',
  ...tableStore,
  permissions: {
    publish: publish,
    openSingle,
    fanOut,
    deliver,
    sweep,
    redeliver: redeliverKnown,
    redeliverFailed: redeliverFailed,
    startRecovery,
    continueRecovery: continueRecovery,
    visitParking,
    find: find,
    list: list,
    readStatus: readStatus,
    scheduleStatus,
  },
});
