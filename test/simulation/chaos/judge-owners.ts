import { isConfirmed } from '../../../shared/domain/subscriptions/confirmation-state.ts';
import { stranger } from './acts.ts';
import type { SubscriptionFacts } from './history.ts';
import type { Broken, Judged } from './judged.ts';

/** What a row says but for what its address is asked. */
const without = ({ requests: _, ...rest }: SubscriptionFacts): string => JSON.stringify(rest);

/** What somebody has confirmed stays as it is, whatever a stranger asks, changes or ends; it is never the stranger's. */
export function* keepsToOwners({ history }: Judged): Generator<Broken> {
  for (const [uuid, versions] of history.subscriptions) {
    for (const [index, { at, row, by }] of versions.entries()) {
      const before = versions[index - 1]?.row;
      if (before === undefined || !isConfirmed(before) || before.owner === stranger) continue;
      // A topic's next generation begins with nobody.
      if (row !== undefined && row.generation !== before.generation) continue;
      const isChanged = by === stranger && (row === undefined || without(row) !== without(before));
      if (isChanged || row?.owner === stranger)
        yield { invariant: 'a stranger changes nothing of the owner', what: `${uuid} at ${at}` };
    }
  }
}
