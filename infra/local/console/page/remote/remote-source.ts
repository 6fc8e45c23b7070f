import type { Delivery } from '../../../../../shared/domain/deliveries/delivery.ts';
import { inParts } from '../../../../../shared/domain/in-parts.ts';
import type { SubscriptionStatus } from '../../../../../shared/domain/subscriptions/show-subscription.ts';
import type { Subscription } from '../../../../../shared/domain/subscriptions/subscription.ts';
import type { Topic } from '../../../../../shared/domain/topics/topic.ts';
import { readRarely } from '../read-rarely.ts';
import { ApiError, type RegistryApi } from '../registry-api.ts';
import type { ClientState, ShownSubscription, Source } from '../state.ts';
import { type Detail, describe } from './describe.ts';

const maxListed = 200;
// The maximum number of subscriptions per read. Each subscription takes two requests, and the registry limits the
// request rate.
const maxRead = 25;
const parallel = 5;
const maxDeliveries = 20;
const maxRecipients = 10;

const idleMs = 15_000;
// For some seconds after a change, the source reads more often, because the effects of a change appear within seconds.
const busyMs = 2000;
const busyForMs = 15_000;

interface KeptDetail extends Detail {
  readonly readAt: number;
}

const shown = (
  { uuid, protocol, address, topic, active }: Subscription,
  named: Topic | undefined,
  detail: Detail | undefined,
): ShownSubscription => ({
  ...{ uuid, protocol, address, topic: named?.title ?? topic },
  state: detail?.status.state ?? (active ? 'active' : 'unknown'),
  reason: detail?.status.stateReason,
});

/**
 * Creates a source that uses the public API of any registry. Unless a request has just changed something, the source
 * reads at most once every 15 seconds. Each read takes at most 52 requests. If there are more than 25 subscriptions,
 * each read updates the 25 subscriptions that were read longest ago.
 */
export function createRemoteSource(api: RegistryApi, now: () => number): Source {
  const details = new Map<string, KeptDetail>();
  let listed: readonly Subscription[] = [];
  let topics: readonly Topic[] = [];
  let changedAt = Number.NEGATIVE_INFINITY;

  async function readDetail({ uuid }: Subscription): Promise<void> {
    const path = `/v1/subscriptions/${uuid}`;
    try {
      const [status, deliveries] = await Promise.all([
        api.get<SubscriptionStatus>(path),
        api.get<Delivery[]>(`${path}/deliveries?limit=${maxDeliveries}`),
      ]);
      details.set(uuid, { status, deliveries, readAt: now() });
    } catch (error) {
      // The subscription ended after the list was read.
      if (error instanceof ApiError && error.status === 404) details.delete(uuid);
      else throw error;
    }
  }

  async function readAll(): Promise<ClientState> {
    [topics, listed] = await Promise.all([
      api.get<Topic[]>('/v1/topics?limit=1000'),
      api.get<Subscription[]>(`/v1/subscriptions?limit=${maxListed}`),
    ]);
    const uuids = new Set(listed.map(({ uuid }) => uuid));
    for (const uuid of details.keys()) if (!uuids.has(uuid)) details.delete(uuid);
    const ageOf = ({ uuid }: Subscription): number => details.get(uuid)?.readAt ?? 0;
    const stalest = listed.toSorted((a, b) => ageOf(a) - ageOf(b)).slice(0, maxRead);
    for (const part of inParts(stalest, parallel)) await Promise.all(part.map(readDetail));
    const topicOf = new Map(topics.map((topic) => [topic.name, topic]));
    const rows = listed.map((one) => shown(one, topicOf.get(one.topic), details.get(one.uuid)));
    rows.sort((a, b) => a.topic.localeCompare(b.topic) || a.address.localeCompare(b.address));
    return {
      ...describe(rows, [...details.values()], topicOf, now()),
      topics: topics.map(({ uuid, name, title }) => ({ uuid, topic: title ?? name })),
      subscriptions: { rows, hasMore: listed.length === maxListed },
    };
  }

  return {
    read: readRarely(readAll, () => (now() - changedAt < busyForMs ? busyMs : idleMs), now),
    async recipients({ topicUuid, after }) {
      const name = topics.find(({ uuid }) => uuid === topicUuid)?.name;
      const uuids = listed.filter(({ topic }) => topic === name).map(({ uuid }) => uuid);
      const start = after === undefined ? 0 : uuids.indexOf(after) + 1;
      const page = uuids.slice(start, start + maxRecipients);
      return { uuids: page, next: start + maxRecipients < uuids.length ? page.at(-1) : undefined };
    },
    onChanged() {
      changedAt = now();
    },
  };
}
