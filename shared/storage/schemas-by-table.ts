import type { TableName } from '../contract/tables.ts';
import { recoveryRow } from '../domain/deliveries/recovery.ts';
import { markRow, personStateRow } from '../domain/imports/decide-change.ts';
import { importState } from '../domain/imports/import-state.ts';
import { journalRow } from '../domain/journal/journal-row.ts';
import { indexState } from '../domain/persons/index-state.ts';
import { storedSubscription } from '../domain/subscriptions/subscription.ts';
import { storedTopic } from '../domain/topics/topic.ts';
import { parkedPlace, parkingRow } from './deliveries/parking.ts';
import { dueRow, messageRow, messageSummary, singleRow, taskRow } from './deliveries/row-schemas.ts';
import { waitingDelivery } from './deliveries/waiting-deliveries.ts';
import { linkPlace, linkRow } from './documents/document-links.ts';
import { exportedRow } from './journal/journal-hours.ts';
import { slotRow } from './limits/store.ts';
import { foldedRow, formerRow, mintRow, storedPerson } from './persons/rows.ts';

/**
 * The schemas that read the rows of each table. Both the previous and the next release must be able to read the rows of
 * this release.
 */
export const rowSchemas = {
  persons: { foldedRow, formerRow, mintRow, storedPerson, personStateRow, markRow, importState, indexState },
  topics: { storedTopic },
  subscriptions: { storedSubscription },
  documentLinks: { linkRow, linkPlace },
  limits: { slotRow },
  deliveries: {
    messageRow,
    taskRow,
    singleRow,
    dueRow,
    messageSummary,
    recoveryRow,
    parkingRow,
    parkedPlace,
    waitingDelivery,
  },
  journal: { journalRow, exportedRow },
} as const satisfies Record<TableName, object>;
