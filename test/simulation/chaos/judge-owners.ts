import { isConfirmed } from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import { otherClient } from './acts.ts';
import { type Evidence, type Violation, violation } from './evidence.ts';
import type { SubscriptionFacts } from './history.ts';

/** Returns a subscription's row as a string, without its pending requests. */
const without = ({ requests: _, ...rest }: SubscriptionFacts): string => JSON.stringify(rest);

/** Checks that requests from another client do not change a confirmed subscription or its owner. */
export function* protectsOwners({ history }: Evidence): Generator<Violation> {
  for (const [uuid, versions] of history.subscriptions) {
    for (const [index, { at, row, by }] of versions.entries()) {
      const before = versions[index - 1]?.row;
      if (before === undefined || !isConfirmed(before) || before.owner === otherClient) continue;
      // Deleting and recreating a topic removes its subscriptions, but this does not count as a change by another
      // client.
      if (row !== undefined && row.generation !== before.generation) continue;
      const isChanged = by === otherClient && (row === undefined || without(row) !== without(before));
      if (isChanged || row?.owner === otherClient)
        yield violation('other clients cannot change a confirmed subscription', `${uuid} at ${at}`);
    }
  }
}
