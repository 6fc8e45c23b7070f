import { unknownSubscription } from '../../model/refusals.ts';
import { type Viewer, viewFor } from './client-view.ts';
import type { StoredSubscription } from './subscription.ts';

/** A subscription as a client sees it at `now` (epoch milliseconds). @throws Refusal `unknownSubscription` where there is none for it */
export function seenBy(viewer: Viewer, stored: StoredSubscription | undefined, now: number): StoredSubscription {
  const seen = viewFor(stored, viewer, now);
  if (seen === undefined) throw unknownSubscription();
  return seen;
}
