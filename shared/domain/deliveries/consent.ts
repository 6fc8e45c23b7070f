import { dayMs } from '../day-ms.ts';
import type { StoredSubscription } from '../subscriptions/subscription.ts';
import { auditMs } from './times.ts';

type Consenting = Pick<StoredSubscription, 'confirmedAt'>;

/**
 * From when on (epoch milliseconds) a subscription has a right to messages: its first confirmation since it last left, as far back
 * as the ledger knows every delivery. Undefined while it was never confirmed.
 */
export const wantedFrom = ({ confirmedAt }: Consenting, now: number, ledgerDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt, now - ledgerDays * dayMs);

/** From when on it may have been sent messages: fan-out may find it confirmed a little after a message was published. */
export const toldFrom = ({ confirmedAt }: Consenting, now: number, ledgerDays: number): number | undefined =>
  confirmedAt === undefined ? undefined : Math.max(confirmedAt - auditMs, now - ledgerDays * dayMs);
