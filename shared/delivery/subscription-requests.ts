import { ClientError } from '../domain/client-errors.ts';
import { channelOf } from '../domain/deliveries/channels.ts';
import { requireView, viewerOf } from '../domain/subscriptions/client-view.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import type { Tools } from './tools.ts';

// Redeliveries by email have a lower limit, because mailbox owners cannot reject emails, and each email uses part of
// the SES quota.
const mostInHour = {
  test: { what: 'test events', host: 10, mailbox: 10 },
  redeliver: { what: 'redeliveries', host: 60, mailbox: 10 },
  recover: { what: 'recoveries', host: 10, mailbox: 10 },
} as const;

/**
 * Counts the test events, redeliveries and recoveries that clients request for a subscription in a clock hour.
 * @throws ClientError `askedTooOften`, with the time to wait
 */
export async function countRequest(
  kind: keyof typeof mostInHour,
  { uuid, protocol, address }: Pick<StoredSubscription, 'uuid' | 'protocol' | 'address'>,
  tools: Tools<'limits:countInHour'>,
): Promise<void> {
  const { what, ...mostOf } = mostInHour[kind];
  const most = 'host' in channelOf(protocol).targetOf(address) ? mostOf.host : mostOf.mailbox;
  const now = tools.now();
  const full = await tools.limits.countInHour(`${kind}#${uuid}`, most, now);
  if (full === undefined) return;
  const seconds = Math.ceil((full.freeAt - now) / 1000);
  const why = `this subscription had ${most} ${what} within the hour`;
  throw new ClientError('askedTooOften', `${why}; try again in ${seconds} seconds`, seconds);
}

/**
 * Returns the subscription in the request's path, if the client may see it.
 * @throws ClientError `unknownSubscription`
 */
export async function visibleSubscription(
  request: Parameters<typeof viewerOf>[0] & { readonly path: { readonly uuid: string } },
  tools: Tools<'subscriptions:read', 'subscriptionOwnership'>,
): Promise<StoredSubscription> {
  const now = tools.now();
  return requireView(viewerOf(request, tools.settings), await tools.subscriptions.get(request.path.uuid, now), now);
}
