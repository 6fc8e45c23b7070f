import { ClientError } from '../domain/client-errors.ts';
import {
  type Delivery,
  type DeliveryState,
  describeConfirmation,
  describeDelivery,
} from '../domain/deliveries/delivery.ts';
import { type HistoryPosition, visibleFrom, wantedFrom } from '../domain/deliveries/delivery-history.ts';
import { openRequestsOf } from '../domain/subscriptions/show-subscription.ts';
import type { StoredSubscription } from '../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../domain/subscriptions/wants-event.ts';
import { isoTime } from '../domain/time.ts';
import type { MessageSummary } from '../storage/deliveries/row-schemas.ts';
import type { Tools } from './tools.ts';

type FindTools = Tools<'deliveries:find', 'deliveryDays'>;
type ListTools = Tools<'deliveries:list', 'deliveryDays'>;

/** The client that reads deliveries. Only the owner of the subscription sees responses. */
interface Reader {
  readonly client: string;
}

interface LogRequest {
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly after?: HistoryPosition | undefined;
  /** The deliveries that the first page lists before all other deliveries. */
  readonly first?: readonly Delivery[];
  readonly mostRounds?: number | undefined;
  readonly reader?: Reader;
}

// No message id is higher, so a position with this id precedes all messages that were published in the same
// millisecond.
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// Each round makes four requests: one for positions, one for messages, and two for the messages' delivery rows.
const usualRounds = 5;
const mostAtOnce = 100;
// The first round reads only a few messages, because usually either most messages or almost none have the requested
// state.
const leastAtFirst = 5;

/**
 * Lists the deliveries of a subscription's open confirmation requests, newest first, with at most one database request.
 */
export async function listConfirmations(subscription: StoredSubscription, tools: FindTools): Promise<Delivery[]> {
  const open = openRequestsOf(subscription, tools.now());
  const messages = open.map(({ messageId }) => ({ messageId, shardBits: 0 }));
  const records = await tools.deliveries.findDeliveries(subscription, messages, true);
  return open.map((request) => describeConfirmation(request, records.get(request.messageId) ?? {}));
}

/**
 * Lists the deliveries of a subscription, newest first, with at most 20 database requests. A page with a `state` filter
 * may be shorter than `limit` even if more deliveries follow. The data may be slightly out of date. `next` is the
 * position of the next page; undefined on the last page.
 * @throws ClientError `invalidParameter` for `cursor` if its position is in the future
 */
export async function listDeliveriesOf(
  subscription: StoredSubscription,
  { state, limit, after, first = [], mostRounds = usualRounds, reader }: LogRequest,
  tools: ListTools,
) {
  const now = tools.now();
  const from = visibleFrom(subscription, now, tools.settings.deliveryDays);
  const isOver = from === undefined || (after !== undefined && Date.parse(after.timestamp) < from);
  if (isOver) return { deliveries: first, next: undefined };
  if (first.length === limit) return { deliveries: first, next: { timestamp: isoTime(now), messageId: lastUuid } };
  // DynamoDB rejects a start position outside the queried range.
  if (after !== undefined && Date.parse(after.timestamp) > now) {
    throw new ClientError('invalidParameter', 'cursor must come from a Link header');
  }
  const { generation } = subscription;
  const span = { generation, from: isoTime(from), to: isoTime(now), order: 'newest first' } as const;
  const found: Delivery[] = [...first];
  let last = after;
  for (let round = 0; round < mostRounds; round++) {
    const wanted = pageSizeOf(round, state, limit - found.length);
    const places = await tools.deliveries.listMessages(span, wanted, last);
    const messages = await tools.deliveries.findMessages(places.map(({ messageId }) => messageId));
    const told = await describeMessages([...messages.values()], subscription, tools, true, reader);
    const deliveryOf = new Map(told.map(({ delivery }) => [delivery.messageId, delivery]));
    for (const [index, place] of places.entries()) {
      const delivery = deliveryOf.get(place.messageId);
      if (delivery !== undefined && (state === undefined || delivery.state === state)) found.push(delivery);
      last = place;
      const isLast = places.length < wanted && index === places.length - 1;
      if (found.length === limit) return { deliveries: found, next: isLast ? undefined : place };
    }
    if (places.length < wanted) return { deliveries: found, next: undefined };
  }
  return { deliveries: found, next: last };
}

function pageSizeOf(round: number, state: DeliveryState | undefined, missing: number): number {
  if (state === undefined) return missing;
  return round === 0 ? Math.max(missing, leastAtFirst) : mostAtOnce;
}

async function describeMessages(
  messages: readonly MessageSummary[],
  subscription: StoredSubscription,
  tools: FindTools,
  mayBeStale: boolean,
  reader: Reader | undefined,
) {
  const records = await tools.deliveries.findDeliveries(subscription, messages, mayBeStale);
  const from = wantedFrom(subscription, tools.now(), tools.settings.deliveryDays) ?? Number.POSITIVE_INFINITY;
  const owner = reader?.client === subscription.owner ? subscription.owner : undefined;
  return messages.flatMap((message) => {
    const record = records.get(message.messageId) ?? {};
    const isWanted = Date.parse(message.timestamp) >= from && wantsEvent(subscription, message);
    const delivery = describeDelivery(message, record, subscription, isWanted, owner);
    return delivery === undefined ? [] : [{ delivery, record }];
  });
}

/** Returns the delivery of a message to a subscription, and its record; undefined if there is no such delivery. */
export async function readDelivery(
  subscription: StoredSubscription,
  messageId: string,
  tools: FindTools,
  mayBeStale = false,
  reader?: Reader,
) {
  const from = visibleFrom(subscription, tools.now(), tools.settings.deliveryDays);
  if (from === undefined) return undefined;
  const message = (await tools.deliveries.findMessages([messageId])).get(messageId);
  const isTheirs = message?.generation === subscription.generation && Date.parse(message.timestamp) >= from;
  return isTheirs ? (await describeMessages([message], subscription, tools, mayBeStale, reader))[0] : undefined;
}
