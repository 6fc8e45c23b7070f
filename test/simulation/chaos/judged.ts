import type { History, Post, SubscriptionFacts } from './history.ts';
import type { Standing } from './ledger-of.ts';
import type { Played } from './play.ts';

/** A promise that was not kept, and to whom. */
export interface Broken {
  readonly invariant: string;
  readonly what: string;
}

/** A play, as the rules look at it. */
export type Judged = Played & {
  readonly standing: Standing;
  /** What was sent again three times in vain rests until an operator has it made again: faults of ours may lead there. */
  readonly isResting: (messageId: string, uuid: string) => boolean;
  readonly postsOf: ReadonlyMap<string, readonly Post[]>;
};
/** A value as far as a report of a broken promise shows it. */
export const excerpt = (value: unknown): string => String(JSON.stringify(value)).slice(0, 400);

/** A delivery, as one text. */
export const pair = (messageId: string, uuid: string): string => `${messageId} ${uuid}`;

/** What was stored of a subscription at a time. */
export const rowAt = (history: History, uuid: string, at: number): SubscriptionFacts | undefined =>
  (history.subscriptions.get(uuid) ?? []).findLast((version) => version.at <= at)?.row;

/** Whether a message has used up a whole policy: the one that was in force at its last attempt. */
export function hasFailed(history: History, uuid: string, posts: readonly Post[]): boolean {
  const { maxRetries } = rowAt(history, uuid, posts.at(-1)?.at ?? 0) ?? { maxRetries: -1 };
  return maxRetries !== -1 && posts.filter(({ outcome }) => outcome?.isPostponed !== true).length > maxRetries;
}
