import { ownTaskPrefix, publicationKey, subscriptionOf } from '../../../shared/domain/deliveries/task-key.ts';
import { keptOutcomes } from '../../../shared/storage/deliveries/kept-outcomes.ts';

/** How a delivery stands in the ledger. */
interface Stand {
  readonly state: string;
  readonly attempt: number;
  /** Sent again in vain so often that it rests until an operator has it made again. */
  readonly isStuck: boolean;
}

/** By message and subscription. */
export type Standing = ReadonlyMap<string, Stand>;

interface Row {
  /** The message's id, and which part of its rows this is in. */
  readonly messageSlice?: string;
  readonly taskKey?: string;
  readonly state?: string;
  readonly attempt?: number;
  readonly isConfirmation?: boolean;
  readonly isStuck?: boolean;
  readonly outcomes?: unknown;
}

/** The message of a row, and the slice that it is in. */
const messageOf = ({ messageSlice = '' }: Row): string => messageSlice.split('#')[0] ?? '';

/** Reads from the ledger's rows how every delivery stands: a subscription's own row tells more than its task's. */
export function ledgerOf(rows: readonly Row[]): Standing {
  const standing = new Map<string, Stand>();
  for (const row of rows) {
    for (const [uuid, { next }] of Object.entries(keptOutcomes.parse(row.outcomes)))
      standing.set(`${messageOf(row)} ${uuid}`, {
        state: next === 'none' ? 'delivered' : next,
        attempt: 0,
        isStuck: false,
      });
  }
  for (const row of rows) {
    const { taskKey = '', state = '', attempt = 0, isConfirmation, isStuck = false } = row;
    if (!taskKey.startsWith(ownTaskPrefix) || isConfirmation) continue;
    standing.set(`${messageOf(row)} ${subscriptionOf(taskKey)}`, { state, attempt, isStuck });
  }
  return standing;
}

/** The messages whose audits are stuck. */
export const stuckMessages = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.filter(({ taskKey, isStuck }) => taskKey === publicationKey && isStuck).map(messageOf));
