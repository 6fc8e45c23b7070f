import { parkingKey, singleTaskKey, singleTaskPrefix, subscriptionOf } from '../../../shared/domain/deliveries/task.ts';
import { pair } from './evidence.ts';
import type { History } from './history.ts';
import type { RowChange, WatchedRow } from './watch-rows.ts';

const uuidOf = ({ messageShard }: WatchedRow): string => messageShard.slice(parkingKey.length + 1);
const isPlace = ({ messageShard, taskKey }: WatchedRow): boolean =>
  messageShard.startsWith(`${parkingKey}#`) && taskKey !== parkingKey;
/** Returns whether a message is parked or is being sent as a probe. A probe leases the row without an owner. */
const isParked = ({ taskKey, state, owner }: WatchedRow): boolean =>
  state === 'parked' || (state === 'leased' && owner === undefined && taskKey.startsWith(singleTaskPrefix));

/**
 * Returns a function that checks, after every change to the deliveries table, that no parked message is stranded. Each
 * parked message must have a place and no timer. The sweeper must visit each subscription for which a place exists. The
 * function also records when messages were parked and released.
 */
export function watchParking(
  history: Pick<History, 'violations' | 'parkings'>,
  now: () => number,
  rows: () => Iterable<WatchedRow>,
): (change: RowChange) => void {
  const report = (what: string): void =>
    void history.violations.push({ invariant: 'no parked message is stranded', what });

  function check(): void {
    const places = new Set<string>();
    const visited = new Set<string>();
    const parked: WatchedRow[] = [];
    for (const row of rows()) {
      if (isPlace(row)) places.add(pair(row.messageId ?? '', uuidOf(row)));
      else if (row.taskKey === parkingKey && row.sweepShard?.startsWith('due#')) visited.add(uuidOf(row));
      else if (isParked(row)) parked.push(row);
    }
    for (const { messageId = '', taskKey, sweepShard } of parked) {
      const name = pair(messageId, subscriptionOf(taskKey));
      if (!places.has(name)) report(`${name} has no place`);
      if (sweepShard !== undefined) report(`${name} has a timer`);
    }
    for (const row of rows())
      if (isPlace(row) && !visited.has(uuidOf(row)) && isHeld(row)) report(`nothing visits the place ${row.taskKey}`);
  }

  /** A place may exist longer than its parking row only if its message is no longer parked. */
  const isHeld = (place: WatchedRow): boolean =>
    [...rows()].some(
      ({ taskKey, messageId, state }) =>
        state === 'parked' && messageId === place.messageId && taskKey === singleTaskKey(uuidOf(place)),
    );

  return ({ before, after }) => {
    const row = after ?? before;
    if (row === undefined) return;
    if (row.taskKey.startsWith(singleTaskPrefix) && (before?.state === 'parked' || after?.state === 'parked')) {
      const name = pair(row.messageId ?? '', subscriptionOf(row.taskKey));
      const times = history.parkings.get(name) ?? [];
      history.parkings.set(name, [...times, now()]);
    }
    // The check waits until a transaction has written all its rows.
    if (after?.state === 'parked' || row.messageShard.startsWith(`${parkingKey}#`)) queueMicrotask(check);
  };
}
