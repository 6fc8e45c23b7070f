import { defineStore } from '../../contract/define-store.ts';
import { overTable } from '../table-store.ts';
import { again } from './again.ts';
import { beginRecovery } from './begin-recovery.ts';
import { deliver } from './deliver.ts';
import { sweep } from './due-rows.ts';
import { fanOut } from './fan-out.ts';
import { known } from './known.ts';
import { log } from './log.ts';
import { open } from './open.ts';
import { openOwn } from './open-own.ts';
import { recovery } from './recovery.ts';
import { redeliver } from './redeliver.ts';
import { show } from './subscription-status.ts';

/**
 * The ledger of deliveries: a row per message, per task with the outcome of each of its subscriptions, and per
 * subscription that a message did not reach at once.
 */
export const ledger = defineStore({
  name: 'ledger',
  ...overTable,
  permissions: {
    open,
    ask: openOwn,
    fanOut,
    deliver,
    sweep,
    again,
    redeliver,
    beginRecovery,
    recover: recovery,
    known,
    log,
    show,
  },
});
