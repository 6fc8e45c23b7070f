import { failingGapMs, maxActiveMessages } from '../../../shared/domain/deliveries/retry.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import { eventTypeOf } from '../../../shared/domain/topics/check-event.ts';
import { type Evidence, rowAt, type Violation, violation } from './evidence.ts';
import { type History, type Post, type SubscriptionFacts, wasHit } from './history.ts';
import { wasRecovered, wasRedelivered } from './judge-recoveries.ts';

/** Returns the times of all injected faults and purges. */
const disturbancesOf = ({ runs, purges }: History): readonly number[] =>
  [...[...runs.values()].flatMap(({ faults }) => faults), ...purges].map(({ at }) => at);

const isCalm = (times: readonly number[], from: number, to: number): boolean =>
  !times.some((at) => at >= from && at <= to);

// The maximum delay in a lane without faults: polls, hanging receivers in the same batch, and the function itself.
const laneMs = 60_000;
const hopMs = 900_000;
const retryAfterLimitMs = 86_400_000;

/** Returns how many messages to a subscription had a failed attempt by the given time. */
const waitingAt = (posts: readonly Post[], uuid: string, at: number): number =>
  new Set(
    posts.filter((post) => post.uuid === uuid && post.at <= at && !post.isAccepted).map(({ messageId }) => messageId),
  ).size;

interface Retry {
  readonly post: Post;
  readonly next: Post;
  /** The subscription at the time of the failed attempt. */
  readonly row: SubscriptionFacts;
  /** The wait that the receiver requested, and the time until the next attempt. */
  readonly askedMs: number;
  readonly waitedMs: number;
}

/** Yields the retries that the service scheduled, except repetitions caused by clients, operators or faults. */
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

/** Checks that a retry is at most 5 % or 30 seconds late, whichever is more, unless a fault occurred at that time. */
export function* retriesInTime(evidence: Evidence): Generator<Violation> {
  const { history, plan } = evidence;
  const disturbances = disturbancesOf(history);
  for (const { post, next, row, askedMs, waitedMs } of retriesOf(evidence)) {
    const { at, uuid, outcome } = post;
    if (outcome === undefined || outcome.isPostponed || !isCalm(disturbances, at - laneMs, next.at)) continue;
    if (row.countdownSeconds !== rowAt(history, uuid, next.at)?.countdownSeconds) continue;
    // Messages that wait for their turn, and paused subscriptions, have no time limit.
    const isWaitingForTurn = waitingAt(history.posts, uuid, next.at) >= maxActiveMessages;
    if (isWaitingForTurn || history.was(uuid, at, next.at, ({ isActive }) => !isActive)) continue;
    const leastMs = Math.max(row.countdownSeconds * 1000, askedMs, failingGapMs(row.failingSince, next.at - waitedMs));
    const hops = 2 + Math.ceil(leastMs / hopMs);
    const mostMs = leastMs + Math.max(0.05 * leastMs, 30_000) + hops * plan.pollDelayMs + 2 * plan.skewMs + laneMs;
    if (waitedMs > mostMs) yield violation('no retry is sent late', retryText(post, waitedMs, leastMs));
  }
}

/** Checks that first attempts are made within the maximum delay of their lane, unless a fault occurred at that time. */
export function* attemptsInTime({ postsOf, history, plan }: Evidence): Generator<Violation> {
  const disturbances = disturbancesOf(history);
  for (const [first] of postsOf.values()) {
    const message = history.messages.get(first?.messageId ?? '');
    if (first === undefined || message === undefined || first.type !== 'Notification') continue;
    const { uuid, at, messageId } = first;
    const from = message.timestamp - laneMs;
    if (!isCalm(disturbances, from, at) || history.recoveries.some((one) => one.uuid === uuid)) continue;
    // If a filter changes after publication and then matches the message, only the reconciliation finds this subscription.
    const isReady = (row: SubscriptionFacts): boolean =>
      row.isActive && row.failingSince === undefined && row.isFailing !== true && wantsEvent(row, message);
    // New subscriptions appear with a delay in the index that fan-out reads.
    const since = message.timestamp - plan.indexLagMs - plan.readLagMs - plan.skewMs - 1000;
    if (rowAt(history, uuid, since) === undefined || history.was(uuid, since, at, (row) => !isReady(row))) continue;
    if (waitingAt(history.posts, uuid, at) > 0) continue;
    const mostMs = laneMs + 3 * plan.pollDelayMs + 2 * plan.skewMs;
    if (at - message.timestamp > mostMs)
      yield violation('no first attempt is late', `${messageId} to ${uuid} after ${at - message.timestamp} ms`);
  }
}

// These limits exceed the maxima in 1,000 seeds: 3.3 rows, 8.7 messages and 5.9 runs for each unit of expected work.
const mostPerUnit = { rows: 5, messages: 12, runs: 9 };

/** Checks that the service does no more work than requests to receivers, messages, subscriptions and faults explain. */
export function* worksInProportion({ history }: Evidence): Generator<Violation> {
  const { posts, messages, subscriptions, work, purges } = history;
  const runs = [...history.runs.values()];
  const faults = runs.reduce((sum, run) => sum + run.faults.length, 0);
  const units = 5 + posts.length + messages.size + subscriptions.size + faults;
  const isUndisturbed = faults === 0 && purges.length === 0;
  const done = {
    rows: work.written,
    // Messages are counted only in seeds without faults, because faults can multiply a reconciliation's messages.
    messages: isUndisturbed ? work.sent : 0,
    runs: isUndisturbed ? runs.filter((run) => run.messages.length > 0).length : 0,
  };
  for (const [what, most] of Object.entries(mostPerUnit) as [keyof typeof done, number][])
    if (done[what] > most * units)
      yield violation('the work is in proportion to the deliveries', `${done[what]} ${what} for ${units} units`);
}

/** Checks that every event of a journaled type and every successful read of a person has a journal row. */
export function* journalsEverything({ history, imports, journal, plan }: Evidence): Generator<Violation> {
  const isPurged = history.purges.some(({ queue }) => queue === 'fanOut');
  const events = new Set(journal.map(({ requestId }) => requestId));
  for (const [messageId, { subject, topicName }] of history.messages) {
    if (eventTypeOf(subject, topicName) === undefined || events.has(messageId) || isPurged) continue;
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
    if (row !== undefined && !present.has(row.generation))
      yield violation('no subscription outlives its topic', `${uuid} of the generation ${row.generation}`);
  }
}
