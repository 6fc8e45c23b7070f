import type { DeliveryFormat } from '../../../shared/domain/subscriptions/subscription.ts';
import { type Evidence, type Violation, violation } from './evidence.ts';
import type { SubscriptionFacts } from './history.ts';

// The simulated deployment uses the default of the `deliveryFormat` setting.
const formatOf = ({ deliveryFormat }: Pick<SubscriptionFacts, 'deliveryFormat'>): DeliveryFormat =>
  deliveryFormat ?? 'raw';

/**
 * Checks that each attempt used a format that its subscription had during the run. A confirmation must apply the format
 * of its request.
 */
export function* sendsChosenFormat({ history }: Evidence): Generator<Violation> {
  for (const { messageId, uuid, format, run, at } of history.posts) {
    if (format === undefined || history.was(uuid, run?.startedAt ?? at, at, (row) => formatOf(row) === format))
      continue;
    yield violation('an attempt has the format of its subscription', `${messageId} to ${uuid} as ${format} at ${at}`);
  }
  for (const [uuid, versions] of history.subscriptions) {
    for (const [index, { row, at }] of versions.entries()) {
      const before = versions[index - 1]?.row?.requests ?? {};
      const confirmed = Object.entries(row?.requests ?? {}).find(
        ([hash, { confirmedAt }]) => confirmedAt !== undefined && before[hash]?.confirmedAt === undefined,
      )?.[1];
      if (row !== undefined && confirmed !== undefined && formatOf(row) !== formatOf(confirmed))
        yield violation('a confirmation applies the requested format', `${uuid} at ${at}`);
    }
  }
}
