import { toldFrom, wantedFrom } from '../../domain/deliveries/consent.ts';
import { describeDelivery } from '../../domain/deliveries/delivery.ts';
import type { Place } from '../../domain/deliveries/log-place.ts';
import { isoTime } from '../../domain/iso-time.ts';
import type { StoredSubscription } from '../../domain/subscriptions/subscription.ts';
import { wantsEvent } from '../../domain/subscriptions/wants-event.ts';
import type { Delivery, DeliveryState } from '../../model/deliveries/delivery.ts';
import { Refusal } from '../../model/refusals.ts';
import type { LoggedDelivery } from '../../storage/deliveries/known.ts';
import type { ledger } from '../../storage/deliveries/ledger.ts';
import type { LoggedMessage } from '../../storage/deliveries/row-schemas.ts';

/** What it takes to tell of a message. */
interface KnownTools {
  readonly ledger: ReturnType<typeof ledger.permissions.known>;
  readonly now: () => number;
  readonly settings: { readonly ledgerDays: number };
}

/** What it takes to read the log of a subscription. */
export interface LogTools extends KnownTools {
  readonly ledger: ReturnType<typeof ledger.permissions.log>;
}

/** Which deliveries are asked for: at most `limit`, after a place in the log. */
interface LogRequest {
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly after?: Place | undefined;
  /** How often is read at most, of four requests each. */
  readonly mostRounds?: number | undefined;
}

interface LogPage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; undefined at the end. */
  readonly next: Place | undefined;
}

/** What is told of a message, and what the ledger knows. */
interface Told {
  readonly delivery: Delivery;
  readonly known: LoggedDelivery;
}

// A round takes four requests: the messages' places, their rows, and two rows of each for the subscription.
const usualRounds = 5;
const mostAtOnce = 100;
// Most messages are of the state that is asked for, or hardly any is.
const leastAtFirst = 5;

/**
 * A page of what became of the messages for a subscription, the newest first, by at most 20 requests. Where it takes more to find
 * `limit` of them that are asked for the page is shorter, and the next one goes on. It may be a moment old.
 * @throws Refusal `invalidParameter` naming `cursor` for a place in the future
 */
export async function readLog(
  subscription: StoredSubscription,
  { state, limit, after, mostRounds = usualRounds }: LogRequest,
  tools: LogTools,
): Promise<LogPage> {
  const now = tools.now();
  const from = toldFrom(subscription, now, tools.settings.ledgerDays);
  const isOver = from === undefined || (after !== undefined && Date.parse(after.timestamp) < from);
  if (isOver) return { deliveries: [], next: undefined };
  // DynamoDB takes no place outside what is asked for.
  if (after !== undefined && Date.parse(after.timestamp) > now) {
    throw new Refusal('invalidParameter', 'cursor must be a cursor from a Link header');
  }
  const { generation } = subscription;
  const span = { generation, from: isoTime(from), to: isoTime(now), order: 'newest first' } as const;
  const found: Delivery[] = [];
  let last = after;
  for (let round = 0; round < mostRounds; round++) {
    const wanted = sizeOf(round, state, limit - found.length);
    const places = await tools.ledger.published(span, wanted, last);
    const told = await tellOf(places, subscription, tools, true);
    for (const [index, place] of places.entries()) {
      const delivery = told.get(place.messageId)?.delivery;
      if (delivery !== undefined && (state === undefined || delivery.state === state)) found.push(delivery);
      last = place;
      const isLast = places.length < wanted && index === places.length - 1;
      if (found.length === limit) return { deliveries: found, next: isLast ? undefined : place };
    }
    if (places.length < wanted) return { deliveries: found, next: undefined };
  }
  return { deliveries: found, next: last };
}

/** How many messages a round looks at. */
function sizeOf(round: number, state: DeliveryState | undefined, missing: number): number {
  if (state === undefined) return missing;
  return round === 0 ? Math.max(missing, leastAtFirst) : mostAtOnce;
}

/** What became of these messages, by id; those that are none of the subscription's are missing. */
async function tellOf(
  places: readonly Pick<Place, 'messageId'>[],
  subscription: StoredSubscription,
  tools: KnownTools,
  isToBeShown: boolean,
): Promise<ReadonlyMap<string, Told>> {
  const messages = await tools.ledger.messages(places.map(({ messageId }) => messageId));
  const known = await tools.ledger.known(subscription, [...messages.values()], isToBeShown);
  const from = wantedFrom(subscription, tools.now(), tools.settings.ledgerDays) ?? Number.POSITIVE_INFINITY;
  const isWanted = (message: LoggedMessage) =>
    Date.parse(message.timestamp) >= from && wantsEvent(subscription, message);
  const told = [...messages.values()].flatMap((message) => {
    const knownOf = known.get(message.messageId) ?? {};
    const delivery = describeDelivery(message, knownOf, subscription, isWanted(message));
    return delivery === undefined ? [] : [[message.messageId, { delivery, known: knownOf }] as const];
  });
  return new Map<string, Told>(told);
}

/** What became of one message; undefined where it is none of the subscription's. What is to be shown may be a moment old. */
export async function readDelivery(
  subscription: StoredSubscription,
  messageId: string,
  tools: KnownTools,
  isToBeShown = false,
): Promise<Told | undefined> {
  const from = toldFrom(subscription, tools.now(), tools.settings.ledgerDays);
  if (from === undefined) return undefined;
  const messages = await tools.ledger.messages([messageId]);
  const message = messages.get(messageId);
  const isTheirs = message?.generation === subscription.generation && Date.parse(message.timestamp) >= from;
  if (!isTheirs) return undefined;
  return (await tellOf([{ messageId }], subscription, tools, isToBeShown)).get(messageId);
}
