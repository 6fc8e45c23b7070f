import type { TableName } from '../contract/tables.ts';
import { importState } from '../domain/imports/import-state.ts';
import { indexState } from '../domain/persons/index-state.ts';
import { storedSubscription } from '../domain/subscriptions/subscription.ts';
import { journalRow } from '../model/journal/journal-row.ts';
import { storedTopic } from '../model/topics/topic.ts';
import {
  dueRow,
  loggedMessage,
  loggedSingle,
  messageRow,
  recoveryRow,
  singleRow,
  taskRow,
  waitingRow,
} from './deliveries/row-schemas.ts';
import { linkPlace, linkRow } from './documents/row-schemas.ts';
import { exportedRow } from './journal/row-schemas.ts';
import { slotRow } from './limits/row-schemas.ts';
import { changeableRow, foldedRow, goneRow, markRow, mintRow, storedPerson } from './persons/row-schemas.ts';

/** What the rows of each table are read by: what one release writes, the one before it and the one after it must read. */
export const rowSchemas = {
  persons: { storedPerson, foldedRow, mintRow, changeableRow, goneRow, markRow, importState, indexState },
  topics: { storedTopic },
  subscriptions: { storedSubscription },
  documentLinks: { linkRow, linkPlace },
  limits: { slotRow },
  deliveries: { messageRow, taskRow, singleRow, dueRow, waitingRow, loggedMessage, loggedSingle, recoveryRow },
  journal: { journalRow, exportedRow },
} as const satisfies Record<TableName, object>;
