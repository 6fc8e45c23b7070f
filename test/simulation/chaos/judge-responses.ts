import type { KeptResponse } from '../../../shared/domain/deliveries/kept-response.ts';
import { attemptOf, type DeliveryOutcome, type PastAttempt } from '../../../shared/domain/deliveries/outcome.ts';
import { singleTaskKey } from '../../../shared/domain/deliveries/task.ts';
import { type Evidence, type Violation, violation } from './evidence.ts';
import type { History } from './history.ts';

const marker = 'response to attempt ';

/** Returns the text with which a receiver rejects an attempt, given the attempt's index in the history. */
export const responseTo = (attempt: number): string => `${marker}${attempt}.`;

interface Row {
  readonly messageShard: string;
  readonly taskKey: string;
  readonly isConfirmation?: boolean;
  readonly outcome?: DeliveryOutcome;
  readonly past?: readonly PastAttempt[];
  readonly response?: KeptResponse;
}

/**
 * Returns whether the response in a row belongs to the last attempt of the row, and to the subscription's owner at that
 * time.
 */
function isInPlace({ messageShard, taskKey, outcome, past = [], response }: Row, history: History): boolean {
  const post = history.posts.find((_, index) => response?.text === responseTo(index));
  if (post === undefined || response === undefined) return false;
  const { type, messageId, uuid, run, at } = post;
  // The outcome of an expired delivery is not an attempt.
  const [kind, , endedAt] = (outcome?.class === 'expired' ? past.at(-1) : attemptOf(outcome)) ?? [];
  return (
    type === 'Notification' &&
    messageShard.startsWith(`${messageId}#`) &&
    taskKey === singleTaskKey(uuid) &&
    kind === 'http' &&
    endedAt === response.at &&
    history.was(uuid, run?.startedAt ?? at, at, ({ owner }) => owner === response.owner)
  );
}

/** Checks that the response to a failed attempt is stored only in the row of its delivery, and for the right owner. */
export function* keepsResponses({ history, observed }: Evidence): Generator<Violation> {
  const isCopied = (value: unknown): boolean => JSON.stringify(value).includes(marker);
  for (const { response, ...row } of observed.rows() as Row[]) {
    const what = `${row.messageShard} ${row.taskKey}`;
    if (isCopied(row)) yield violation('a response is stored only in the row of its delivery', what);
    if (response !== undefined && !isInPlace({ ...row, response }, history))
      yield violation('a stored response belongs to the last attempt of its delivery', what);
    const isEvent = row.taskKey.startsWith(singleTaskKey('')) && !row.isConfirmation;
    if (isEvent && row.outcome?.class === 'http' && response === undefined)
      yield violation('the response to the last failed attempt is stored', what);
  }
  for (const name of ['subscriptions', 'journal', 'topics', 'limits'] as const)
    if (isCopied(observed.rowsOf(name))) yield violation('a response is stored only in the row of its delivery', name);
  for (const { messageId, uuid, body } of history.posts)
    if (body.includes(marker))
      yield violation('a response is stored only in the row of its delivery', `${messageId} to ${uuid}`);
}
