import type { DynamoTable } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { deliverBatch } from './batch-deliveries.ts';
import { sweep } from './due-rows.ts';
import { find, list } from './find-deliveries.ts';
import { park, visitParking } from './parking.ts';
import { fanOut, publish } from './publications.ts';
import { continueRecovery, startRecovery } from './recoveries.ts';
import { redeliver, redeliverFailed } from './redeliveries.ts';
import { completeTask, scheduleStatus } from './rows.ts';
import { deliverSingle, openSingle } from './single-deliveries.ts';
import { readStatus } from './subscription-status.ts';
import { listWaiting } from './waiting-deliveries.ts';

const deliver = (table: DynamoTable) => ({
  ...deliverBatch(table),
  ...deliverSingle(table),
  ...listWaiting(table),
  ...park(table),
  ...scheduleStatus(table),
  ...completeTask(table),
});

/** Messages and their deliveries, with one row for each message, batch delivery and single delivery. */
export const deliveries = tableStore('deliveries', {
  publish,
  openSingle,
  fanOut,
  deliver,
  sweep,
  redeliver,
  redeliverFailed,
  startRecovery,
  continueRecovery,
  visitParking,
  find,
  list,
  readStatus,
  scheduleStatus,
});
