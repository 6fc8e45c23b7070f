import { publicationKey, singleTaskPrefix, subscriptionOf } from '../../../shared/domain/deliveries/task.ts';
import type { JournalRow } from '../../../shared/domain/journal/journal-row.ts';
import { storedOutcomes } from '../../../shared/storage/deliveries/row-schemas.ts';
import { isSmall } from '../edits/mode.ts';
import type { History, Post, SubscriptionFacts } from './history.ts';
import type { Played } from './play.ts';

/** A violation of a promise, with its details. */
export interface Violation {
  readonly invariant: string;
  readonly what: string;
}

export const violation = (invariant: string, what: string): Violation => ({ invariant, what });

/** The data recorded for a simulated seed, with derived facts that the judge's rules use. */
export type Evidence = Played & {
  readonly states: DeliveryStates;
  /** Returns whether an injected fault may have left a delivery stuck until an operator redelivers the message. */
  readonly mayBeStuck: (messageId: string, uuid: string) => boolean;
  /** Returns whether an injected fault may have left a row of a message stuck. */
  readonly wasDisturbed: (messageId: string) => boolean;
  readonly postsOf: ReadonlyMap<string, readonly Post[]>;
  /** The rows of the journal table and of the topics table at the end of the simulation. */
  readonly journal: readonly Pick<JournalRow, 'uin' | 'operation' | 'requestId' | 'at'>[];
  readonly topics: readonly { readonly generation: string }[];
};

/** Formats a value for a violation report, truncated to 400 characters. */
export const excerpt = (value: unknown): string => String(JSON.stringify(value)).slice(0, 400);

export const pair = (messageId: string, uuid: string): string => `${messageId} ${uuid}`;

export const rowAt = (history: History, uuid: string, at: number): SubscriptionFacts | undefined =>
  (history.subscriptions.get(uuid) ?? []).findLast((version) => version.at <= at)?.row;

/** Returns whether the attempts used up all retries that the policy allowed at the time of the last attempt. */
export function hasFailed(history: History, uuid: string, posts: readonly Post[]): boolean {
  const { maxRetries } = rowAt(history, uuid, posts.at(-1)?.at ?? 0) ?? { maxRetries: -1 };
  return (
    maxRetries !== -1 &&
    posts.filter(({ outcome, isProbe }) => !isProbe && outcome?.isPostponed !== true).length > maxRetries
  );
}

/** The recorded state of a delivery. */
interface DeliveryState {
  readonly state: string;
  readonly attempt: number;
  /** True if the sweeper has given up resuming the task, so an operator must redeliver the message. */
  readonly isStuck: boolean;
}

type DeliveryStates = ReadonlyMap<string, DeliveryState>;

interface Row {
  /** The message id and the row's shard number, separated by `#`. */
  readonly messageShard?: string;
  readonly taskKey?: string;
  readonly state?: string;
  readonly attempt?: number;
  readonly isConfirmation?: boolean;
  readonly isStuck?: boolean;
  readonly outcomes?: unknown;
}

const messageOf = ({ messageShard = '' }: Row): string => messageShard.split('#')[0] ?? '';

/**
 * Returns the recorded state of every delivery. The row of a single delivery takes precedence over the outcome in the
 * row of a batch delivery.
 */
export function deliveriesOf(rows: readonly Row[]): DeliveryStates {
  const states = new Map<string, DeliveryState>();
  for (const row of rows) {
    for (const [uuid, { next }] of Object.entries(storedOutcomes.parse(row.outcomes)))
      states.set(`${messageOf(row)} ${uuid}`, {
        state: next === 'none' ? 'delivered' : next,
        attempt: 0,
        isStuck: false,
      });
  }
  for (const row of rows) {
    const { taskKey = '', state = '', attempt = 0, isConfirmation, isStuck = false } = row;
    if (!taskKey.startsWith(singleTaskPrefix) || isConfirmation) continue;
    states.set(`${messageOf(row)} ${subscriptionOf(taskKey)}`, { state, attempt, isStuck });
  }
  return states;
}

/** Returns the ids of the messages whose reconciliation is stuck. */
export const stuckMessages = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.filter(({ taskKey, isStuck }) => taskKey === publicationKey && isStuck).map(messageOf));

/** The maximum number of outcomes in the row of a batch (`mostOutcomes` in shared/storage/deliveries). */
const mostOutcomes = isSmall() ? 3 : 1500;

/** Returns the ids of the messages that can never be completed, because a batch row is full. */
export const fullMessages = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.filter(({ outcomes }) => Object.keys(outcomes ?? {}).length >= mostOutcomes).map(messageOf));
