import { maxActiveMessages } from '../../../shared/domain/deliveries/parking.ts';
import { failingGapMs } from '../../../shared/domain/deliveries/retry.ts';
import { maxUuidsPerTask, shardOf } from '../../../shared/domain/deliveries/shards.ts';
import { clockMs } from '../../../shared/domain/deliveries/times.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import { eventTypeOf } from '../../../shared/domain/topics/check-event.ts';
import { statusTopicUuid } from '../../../shared/domain/topics/topic.ts';
import { type Evidence, pair, rowAt, type Violation, violation } from './evidence.ts';
import { type History, hopMs, type Post, type SubscriptionFacts, wasHit } from './history.ts';
import { wasRecovered, wasRedelivered } from './judge-recoveries.ts';
import { settings } from './world.ts';

/** A fault that can delay a message. Without `about`, the fault can delay every message. */
interface Disturbance {
  readonly at: number;
  readonly about: readonly string[] | undefined;
  /** After a minor fault, the SDK or the queue repeats the work. The effects of other faults can last longer. */
  readonly isMinor: boolean;
}

const minorFault = /^(throttle|lost response|refused)/;

/** Returns the disturbances, oldest first. */
function disturbancesOf({ runs, purges, delays }: History): readonly Disturbance[] {
  const faults = [...runs.values()].flatMap(({ faults, about, logged }) =>
    faults.map(({ at, what }) => {
      const isMinor = minorFault.test(what) && (about.length > 0 || logged.length === 0);
      return { at, isMinor, about: about.length > 0 ? about : undefined };
    }),
  );
  const emptied = purges.map(({ at }) => ({ at, isMinor: false, about: undefined }));
  const late = delays.map(({ at, about }) => ({ at, isMinor: false, about }));
  return [...faults, ...emptied, ...late].toSorted((a, b) => a.at - b.at);
}

/** Returns the index of the first entry at or after the given time. The entries must be sorted by time. */
function firstFrom(entries: readonly { readonly at: number }[], at: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A minor fault delays a message until the message becomes visible in its queue again.
const minorMs = 60_000;

/** Returns how many milliseconds the faults in a period may have delayed a message. */
function delayBy(disturbances: readonly Disturbance[], messageId: string, from: number, to: number): number {
  let delayMs = 0;
  for (let index = firstFrom(disturbances, from); index < disturbances.length; index++) {
    const { at, about, isMinor } = disturbances[index] as Disturbance;
    if (at > to) break;
    if (about !== undefined && !about.includes(messageId)) continue;
    if (!isMinor) return Number.POSITIVE_INFINITY;
    if (about !== undefined) delayMs += minorMs;
  }
  return delayMs;
}

// If no fault occurs, a message waits at most a minute: for polls, the function, and hanging receivers in the same
// batch.
const laneMs = 60_000;
// The limit for first attempts is shorter than a lease, so no first attempt may wait for another task's lease.
const firstMs = 30_000;
// No attempt starts in the last 35 seconds of a run: 15 seconds are for the receiver, and 20 seconds for recording the
// outcome.
const attemptMs = 34_000;
const retryAfterLimitMs = 86_400_000;

/** Returns the number of messages to a subscription for which an attempt had failed by the given time. */
function waitingAt(posts: readonly Post[], at: number): number {
  const before = posts.slice(0, firstFrom(posts, at + 1));
  return new Set(before.filter(({ isAccepted }) => !isAccepted).map(({ messageId }) => messageId)).size;
}

const postsByReceiver = ({ posts }: History): ReadonlyMap<string, readonly Post[]> =>
  Map.groupBy(posts, ({ uuid }) => uuid);

interface Retry {
  readonly post: Post;
  readonly next: Post;
  /** The subscription at the time of the failed attempt. */
  readonly row: SubscriptionFacts;
  /** The wait that the receiver requested, and the actual time until the next attempt. */
  readonly askedMs: number;
  readonly waitedMs: number;
}

/** Yields the retries that the service scheduled, excluding repetitions that clients, operators or faults caused. */
function* retriesOf({ postsOf, history }: Evidence): Generator<Retry> {
  for (const posts of postsOf.values()) {
    for (const [index, post] of posts.entries()) {
      const next = posts[index + 1];
      const { at, endedAt, uuid, outcome, type } = post;
      if (next === undefined || endedAt === undefined || type !== 'Notification') continue;
      if (outcome?.class === 'delivered' || wasHit(post.run, at)) continue;
      const row = rowAt(history, uuid, at);
      if (row === undefined || history.redeliveries.some((time) => time >= at && time <= next.at)) continue;
      if (wasRedelivered(history, post, next.at) || wasRecovered(history, uuid, next.at)) continue;
      // Parked messages do not follow the retry schedule.
      const parkings = history.parkings.get(pair(post.messageId, uuid)) ?? [];
      if (parkings.some((time) => time >= at && time <= next.at)) continue;
      const askedMs = Math.min((outcome?.retryAfterSeconds ?? 0) * 1000, retryAfterLimitMs);
      yield { post, next, row, askedMs, waitedMs: next.at - endedAt };
    }
  }
}

/** Checks that each retry waits for the policy's countdown and the receiver's Retry-After. */
export function* waitsForRetries(evidence: Evidence): Generator<Violation> {
  for (const { post, row, askedMs, waitedMs } of retriesOf(evidence)) {
    const leastMs = post.outcome?.isPostponed ? askedMs : Math.max(row.countdownSeconds * 1000, askedMs);
    if (waitedMs < leastMs - 2 * evidence.plan.skewMs - 1)
      yield violation('no retry is sent early', retryText(post, waitedMs, leastMs));
  }
}

const retryText = ({ messageId, uuid }: Post, waitedMs: number, leastMs: number): string =>
  `${messageId} to ${uuid} after ${waitedMs} ms instead of ${leastMs} ms`;

/** Checks that no retry is late by more than 5 % and by more than 30 seconds, unless a fault delayed the retry. */
export function* retriesInTime(evidence: Evidence): Generator<Violation> {
  const { history, plan } = evidence;
  const [disturbances, receivers] = [disturbancesOf(history), postsByReceiver(history)];
  for (const { post, next, row, askedMs, waitedMs } of retriesOf(evidence)) {
    const { at, uuid, outcome } = post;
    if (outcome === undefined || outcome.isPostponed) continue;
    const delayMs = delayBy(disturbances, post.messageId, at - laneMs, next.at);
    if (delayMs === Number.POSITIVE_INFINITY) continue;
    if (row.countdownSeconds !== rowAt(history, uuid, next.at)?.countdownSeconds) continue;
    // Messages that wait behind other messages, and messages to paused subscriptions, have no time limit.
    const isWaitingForTurn = waitingAt(receivers.get(uuid) ?? [], next.at) >= maxActiveMessages;
    if (isWaitingForTurn || history.was(uuid, at, next.at, ({ isActive }) => !isActive)) continue;
    const gapMs = failingGapMs(row.failingSince, next.at - waitedMs, Number(settings.deliveryDays));
    const leastMs = Math.max(row.countdownSeconds * 1000, askedMs, gapMs);
    const hops = 2 + Math.ceil(leastMs / hopMs);
    const mostMs = leastMs + Math.max(0.05 * leastMs, 30_000) + hops * plan.pollDelayMs + 2 * plan.skewMs + laneMs;
    if (waitedMs > mostMs + delayMs) yield violation('no retry is sent late', retryText(post, waitedMs, leastMs));
  }
}

/** Checks that no first attempt exceeds the maximum delay, unless a fault delayed the attempt. */
export function* attemptsInTime({ postsOf, history, plan }: Evidence): Generator<Violation> {
  const [disturbances, receivers] = [disturbancesOf(history), postsByReceiver(history)];
  for (const [first] of postsOf.values()) {
    const message = history.messages.get(first?.messageId ?? '');
    if (first === undefined || message === undefined || first.type !== 'Notification') continue;
    const { uuid, at, messageId } = first;
    const from = message.timestamp - laneMs;
    const delayMs = delayBy(disturbances, messageId, from, at);
    if (delayMs === Number.POSITIVE_INFINITY || history.recoveries.some((one) => one.uuid === uuid)) continue;
    // If a filter matches a message only after a later change of the filter, only the reconciliation finds the
    // subscription.
    const isReady = (row: SubscriptionFacts): boolean =>
      row.isActive && row.failingSince === undefined && row.isFailing !== true && wantsEvent(row, message);
    // New subscriptions appear with a delay in the index that fan-out reads.
    const since = message.timestamp - plan.indexLagMs - plan.readLagMs - plan.skewMs - 1000;
    if (rowAt(history, uuid, since) === undefined || history.was(uuid, since, at, (row) => !isReady(row))) continue;
    if (waitingAt(receivers.get(uuid) ?? [], at) > 0) continue;
    // If a shard needs several queue messages, the second message waits for the lease of the first.
    const { shardBits } = message;
    const isNear = (other: string): boolean => shardOf(other, shardBits) === shardOf(uuid, shardBits);
    const isCrowded = [...history.subscriptions.keys()].filter(isNear).length > maxUuidsPerTask;
    const mostMs = (isCrowded ? laneMs : firstMs) + delayMs + 3 * plan.pollDelayMs + 2 * plan.skewMs;
    if (at - message.timestamp > mostMs)
      yield violation('no first attempt is late', `${messageId} to ${uuid} after ${at - message.timestamp} ms`);
  }
}

/** Checks that an attempt starts only if the run has time to wait for a slow receiver and to record the outcome. */
export function* startsInTime({ history }: Evidence): Generator<Violation> {
  for (const { messageId, uuid, at, run } of history.posts) {
    const leftMs = run === undefined ? Number.POSITIVE_INFINITY : run.startedAt + run.timeoutMs - at;
    if (leftMs < attemptMs)
      yield violation('an attempt has enough time to finish', `${messageId} to ${uuid}: ${leftMs} ms`);
  }
}

/** Checks that no attempt follows the report of a failure, except after a requested redelivery. */
export function* endsWithFailure({ history, postsOf }: Evidence): Generator<Violation> {
  const { reports, redeliveries } = history;
  for (const { messageId, uuid, at } of reports) {
    for (const post of postsOf.get(pair(messageId, uuid)) ?? []) {
      if (post.type !== 'Notification' || (post.run?.startedAt ?? 0) <= at + clockMs) continue;
      if (wasRedelivered(history, post, post.at) || wasRecovered(history, uuid, post.at)) continue;
      if (redeliveries.some((time) => time <= post.at)) continue;
      yield violation('no attempt follows a reported failure', `${messageId} to ${uuid}`);
      break;
    }
  }
}

// In 10,000 seeds, the maxima per unit of work were 4.9 rows, fewer than 4 messages, and fewer than 4 runs.
const mostPerUnit = { rows: 5.5, messages: 4, runs: 4 };

/** Checks that the numbers of written rows, queue messages and runs are proportional to the expected work. */
export function* worksInProportion({ history }: Evidence): Generator<Violation> {
  const { posts, messages, subscriptions, recoveries, work, purges } = history;
  // Import runs are excluded, because their work is proportional to the number of imported lines.
  const runs = history.runs
    .values()
    .filter(({ name }) => name !== 'importChanges')
    .toArray();
  const faults = runs.reduce((sum, run) => sum + run.faults.length, 0);
  const parked = history.parkings.values().reduce((sum, times) => sum + times.length, 0);
  const units = 5 + posts.length + messages.size + subscriptions.size + recoveries.length + parked + faults;
  const isUndisturbed = faults === 0 && purges.length === 0;
  const done = {
    rows: work.written,
    // Messages are counted only in seeds without faults, because faults can multiply the messages of a reconciliation.
    messages: isUndisturbed ? work.sent : 0,
    runs: isUndisturbed ? runs.filter((run) => run.messages.length > 0).length : 0,
  };
  // A reconciliation sends one message for each segment, and a message is reconciled at most four times.
  const segments = 4 * messages.values().reduce((sum, { shardBits }) => sum + 2 ** shardBits, 0);
  for (const [what, most] of Object.entries(mostPerUnit) as [keyof typeof done, number][])
    if (done[what] > most * units + (what === 'rows' ? 0 : segments + work.hops))
      yield violation('the work is proportional to the deliveries', `${done[what]} ${what} for ${units} units`);
}

/** Checks that each event of a journaled type, and each successful read of a person, has a journal row. */
export function* journalsEverything({ history, imports, journal, plan }: Evidence): Generator<Violation> {
  const events = new Set(journal.map(({ requestId }) => requestId));
  for (const [messageId, { subject, topicName }] of history.messages) {
    if (eventTypeOf(subject, topicName) === undefined || events.has(messageId)) continue;
    yield violation('every event has a journal row', messageId);
  }
  for (const { uin, from, to, status } of imports.reads) {
    if (status !== 200) continue;
    const isRow = journal.some((row) => {
      const at = Date.parse(row.at);
      return (
        row.operation === 'readPerson' && row.uin === uin && at >= from - plan.skewMs - 1 && at <= to + plan.skewMs
      );
    });
    if (!isRow) yield violation('every read has a journal row', `${uin} at ${from}`);
  }
}

/** Checks that every remaining subscription belongs to the current generation of its topic. */
export function* endsWithTopic({ history, topics }: Evidence): Generator<Violation> {
  const present = new Set(topics.map(({ generation }) => generation));
  for (const [uuid, versions] of history.subscriptions) {
    const row = versions.at(-1)?.row;
    // The status topic has a generation for each client, and cannot be deleted.
    if (row !== undefined && row.topicUuid !== statusTopicUuid && !present.has(row.generation))
      yield violation('no subscription outlives its topic', `${uuid} of the generation ${row.generation}`);
  }
}
