import { channelOf } from '../../domain/deliveries/channels.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { Refusal } from '../../model/refusals.ts';
import type { limits } from '../../storage/limits/limits.ts';

interface AskedTools {
  readonly limits: Pick<ReturnType<typeof limits.permissions.count>, 'countInHour'>;
  readonly now: () => number;
}

// A mailbox is somebody's who cannot refuse it, and each mail takes of the account's quota.
const mostInHour = {
  test: { what: 'test events', host: 10, mailbox: 10 },
  redeliver: { what: 'redeliveries', host: 60, mailbox: 10 },
  recover: { what: 'recoveries', host: 10, mailbox: 10 },
} as const;

/**
 * Counts what is sent to one subscription because somebody asked for it, beside its events: so many in a clock hour.
 * @throws Refusal `askedTooOften` that says when there is room again
 */
export async function countAsked(
  kind: keyof typeof mostInHour,
  { uuid, protocol, address }: Pick<StoredSubscription, 'uuid' | 'protocol' | 'address'>,
  tools: AskedTools,
): Promise<void> {
  const { what, ...mostOf } = mostInHour[kind];
  const most = 'host' in channelOf(protocol).targetOf(address) ? mostOf.host : mostOf.mailbox;
  const now = tools.now();
  const full = await tools.limits.countInHour(`${kind}#${uuid}`, most, now);
  if (full === undefined) return;
  const seconds = Math.ceil((full.freeAt - now) / 1000);
  const why = `this subscription had ${most} ${what} within the hour`;
  throw new Refusal('askedTooOften', `${why}; try again in ${seconds} seconds`, seconds);
}
