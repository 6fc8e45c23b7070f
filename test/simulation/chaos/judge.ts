import { publicationKey, singleTaskKey } from '../../../shared/domain/deliveries/task.ts';
import { clockMs } from '../../../shared/domain/deliveries/times.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import { dayMs } from '../../../shared/domain/time.ts';
import { statusTopicName } from '../../../shared/domain/topics/topic.ts';
import {
  deliveriesOf,
  type Evidence,
  fullMessages,
  hasFailed,
  pair,
  stuckMessages,
  type Violation,
  violation,
} from './evidence.ts';
import { type History, type Post, type SubscriptionFacts, wasHit } from './history.ts';
import { sendsChosenFormat } from './judge-formats.ts';
import { importsFiles } from './judge-imports.ts';
import { protectsOwners } from './judge-owners.ts';
import { readsPeople } from './judge-people.ts';
import { recoversEveryMessage, wasRedelivered } from './judge-recoveries.ts';
import { keepsResponses } from './judge-responses.ts';
import { notifiesOwners } from './judge-status.ts';
import {
  attemptsInTime,
  endsWithFailure,
  endsWithTopic,
  journalsEverything,
  retriesInTime,
  startsInTime,
  waitsForRetries,
  worksInProportion,
} from './judge-work.ts';
import type { Played } from './play.ts';
import { settings } from './world.ts';

const minuteMs = 60_000;

type Rule = (played: Evidence) => Iterable<Violation>;

/** Returns whether a report was lost because its run stopped and an operator deleted the run's queue message. */
const isReportLost = ({ purges }: History, last: Post | undefined): boolean =>
  last !== undefined && wasHit(last.run, last.at) && purges.some(({ at }) => at >= last.at);

/** Returns whether the failure of a delivery was reported after its message had expired (see `deliveryDays`). */
const hasExpired = ({ reports, messages }: History, uuid: string, messageId: string): boolean =>
  reports.some(
    (one) =>
      one.uuid === uuid &&
      one.messageId === messageId &&
      one.at >= (messages.get(messageId)?.timestamp ?? 0) + Number(settings.deliveryDays) * dayMs - clockMs,
  );

/** Checks that a message reaches every subscription that was active at publication, or fails after all retries. */
function* reachesEveryDueSubscription({ history, states, plan, postsOf, mayBeStuck }: Evidence): Generator<Violation> {
  const notices = [...history.messages].filter(([, { topicName }]) => topicName === statusTopicName);
  const published = [...history.publications, ...notices.map(([messageId]) => ({ messageId, isStored: true }))];
  for (const { messageId, isStored } of published) {
    const message = history.messages.get(messageId);
    // Only a purge of the queue can lose a message that was not stored in the deliveries table.
    if (message === undefined) {
      const isPurged = !isStored && history.purges.some(({ queue }) => queue === 'fanOut');
      if (!isPurged) yield violation('a published message is not lost', messageId);
      continue;
    }
    for (const uuid of history.subscriptions.keys()) {
      const active = history.activeSince(uuid);
      if (active === undefined || active.row.generation !== message.generation) continue;
      if (active.since > message.timestamp - plan.skewMs) continue;
      // If the filter has changed since publication, the service may or may not deliver the message.
      if (!history.isSince(uuid, message.timestamp - plan.skewMs, (row) => wantsEvent(row, message))) continue;
      const state = states.get(pair(messageId, uuid));
      const posts = postsOf.get(pair(messageId, uuid)) ?? [];
      const what = `${messageId} to ${uuid} has the state ${state?.state ?? 'unknown'} after ${posts.length} attempts`;
      if (mayBeStuck(messageId, uuid)) continue;
      if (state === undefined) yield violation('every eligible subscription gets the message', what);
      else if (state.state === 'delivered') continue;
      else if (state.state !== 'failed') yield violation('every eligible subscription gets the message', what);
      else if (!hasFailed(history, uuid, posts) && !hasExpired(history, uuid, messageId))
        yield violation('a delivery fails only after all retries of its policy', what);
      else if (
        !history.reports.some((one) => one.messageId === messageId && one.uuid === uuid) &&
        !isReportLost(history, posts.at(-1))
      )
        yield violation('every failure is reported', what);
    }
  }
}

/** Checks that an accepted message is sent again only if a fault prevented the outcome from being recorded. */
function* deliversOnce({ postsOf, history }: Evidence): Generator<Violation> {
  for (const posts of postsOf.values()) {
    for (const [index, post] of posts.entries()) {
      const next = posts[index + 1];
      if (next === undefined || !post.isAccepted || post.type !== 'Notification') continue;
      const isKnownDelivered = post.outcome?.class === 'delivered';
      if (!isKnownDelivered && post.outcome !== undefined) continue;
      if (wasHit(post.run, post.at)) continue;
      if (wasRedelivered(history, post, next.at, post.at)) continue;
      yield violation(
        'an accepted message is not sent again',
        `${post.messageId} to ${post.uuid} again ${next.at - post.at} ms later`,
      );
    }
  }
}

/** Checks that each message id identifies one event, and that receivers get the published body of this event. */
function* keepsContent({ history }: Evidence): Generator<Violation> {
  const accepted = Map.groupBy(history.publications, ({ messageId }) => messageId);
  for (const [messageId, publications] of accepted) {
    const bodies = new Set(publications.map(({ body }) => body));
    for (const { body, type } of history.posts.filter((post) => post.messageId === messageId))
      if (type === 'Notification') bodies.add(body);
    if (bodies.size > 1) yield violation('a message id identifies one event', messageId);
  }
}

/** Checks that receivers can verify each message with published keys that are at most an hour old. */
function* signsEveryMessage({ history }: Evidence): Generator<Violation> {
  for (const { isVerified, messageId, uuid, at } of history.posts)
    if (!isVerified) yield violation('receivers can verify every message', `${messageId} to ${uuid} at ${at}`);
}

/** Checks that a run fails or logs an error if a queue has rejected one of the run's entries. */
function* reportsRefusedEntries({ history }: Evidence): Generator<Violation> {
  for (const { name, startedAt, ending, hasRefusals, logged } of history.runs.values()) {
    if (hasRefusals && ending === 'returned' && logged.length === 0)
      yield violation('a run reports entries that a queue rejected', `${name} at ${startedAt}`);
  }
}

const isTest = (body: string): boolean => JSON.parse(body).source === 'test';

/** Returns whether a subscription is unconfirmed or has an unconfirmed request from another client. */
const isAsked = ({ isActive, owner, requests }: SubscriptionFacts): boolean =>
  !isActive || Object.values(requests).some(({ caller, confirmedAt }) => caller !== owner && confirmedAt === undefined);

/**
 * Checks that no message is sent to a subscription that has ended, is unconfirmed, or was confirmed after publication.
 */
function* sendsOnlyWhenDue({ history, plan }: Evidence): Generator<Violation> {
  for (const post of history.posts) {
    const { messageId, uuid, type, body, at, run } = post;
    const from = run?.startedAt ?? at;
    if (type === 'SubscriptionConfirmation') {
      if (!history.was(uuid, from, at, isAsked))
        yield violation('confirmation requests are sent only for pending requests', `${uuid} at ${at}`);
      continue;
    }
    if (isTest(body)) {
      if (!history.tested.has(uuid) || !history.was(uuid, from, at, ({ isActive }) => isActive))
        yield violation('a test event is sent only on request', `${messageId} to ${uuid}`);
      continue;
    }
    const message = history.messages.get(messageId);
    // A client may redeliver messages that were published before the confirmation.
    const isRedelivered = wasRedelivered(history, post, at);
    // A subscription that was deleted and created again within the clock tolerance can still get the message.
    const nearMs = clockMs + 2 * plan.skewMs;
    const wasActive =
      message !== undefined &&
      history.was(uuid, message.timestamp - nearMs, message.timestamp + nearMs, ({ isActive }) => isActive);
    const isDue = (row: SubscriptionFacts): boolean =>
      row.isActive &&
      message !== undefined &&
      row.generation === message.generation &&
      wantsEvent(row, message) &&
      ((isRedelivered || wasActive ? undefined : row.confirmedAt) ?? row.createdAt) <= message.timestamp + nearMs;
    if (!history.was(uuid, from, at, isDue))
      yield violation('messages are sent only to eligible subscriptions', `${messageId} to ${uuid}`);
  }
}

/** Checks that the recorded states match the responses of the receivers. */
function* recordsOutcomes({ states, postsOf, history }: Evidence): Generator<Violation> {
  for (const [key, { state }] of states) {
    const posts = postsOf.get(key) ?? [];
    const isAccepted = posts.some(({ isAccepted }) => isAccepted);
    if (state === 'delivered' && !isAccepted) yield violation('a delivered message was accepted by its receiver', key);
    const isKnown = posts.some(({ outcome, run, at }) => outcome?.class === 'delivered' && !wasHit(run, at));
    const isRedelivered = history.clientRedeliveries.some(({ messageId, uuid }) => pair(messageId, uuid) === key);
    if (isKnown && state !== 'delivered' && !isRedelivered)
      yield violation('an accepted message is recorded as delivered', `${key}: ${state}`);
  }
  for (const { messageId, uuid, outcome, run, at } of history.posts) {
    if (outcome?.class !== 'delivered' || wasHit(run, at) || !history.messages.has(messageId)) continue;
    if (!states.has(pair(messageId, uuid)))
      yield violation('an accepted message is recorded as delivered', `${pair(messageId, uuid)}: unknown`);
  }
}

/** Checks that a failed delivery is reported once, unless a run crashed before it could record the report. */
function* reportsOnce({ history }: Evidence): Generator<Violation> {
  const reports = Map.groupBy(history.reports, ({ messageId, uuid }) => pair(messageId, uuid));
  for (const [key, all] of reports) {
    const redelivered = history.clientRedeliveries.filter(
      ({ messageId, uuid }) => pair(messageId, uuid) === key,
    ).length;
    const recovered = history.recoveries.filter(({ uuid }) => key.endsWith(uuid)).length;
    // A repeated step of a recovery may redeliver a message that has failed since the step began.
    const steps = [...history.runs.values()].filter((run) => run.steps.length > 0 && wasHit(run)).length;
    const hit = all.filter(({ run }) => wasHit(run)).length + (recovered > 0 ? steps : 0);
    // One redelivery may process a message to a paused subscription several times, because the message fails
    // immediately.
    const again = all.filter(({ at }) =>
      history.redeliveries.some((time) => time <= at && at <= time + minuteMs),
    ).length;
    const excused = hit + history.redeliveries.length / 2 + again + redelivered + recovered;
    if (all.length > 1 + excused) yield violation('a failure is reported once', `${key}: ${all.length} times`);
  }
}

/** Checks that only injected faults cause internal errors, timeouts and dead letters, and that all work ends. */
function* hasOnlyInjectedErrors({
  history,
  deadLetters,
  isQuiet,
  observed,
  wasDisturbed,
}: Evidence): Generator<Violation> {
  for (const run of history.runs.values()) {
    for (const line of run.logged) {
      const [, stuckMessage = ''] = /^stuckTask.*"messageId":"([^"]+)"/.exec(line) ?? [];
      if (stuckMessage !== '' && wasDisturbed(stuckMessage)) continue;
      if (!wasHit(run)) yield violation('only injected faults cause internal errors', `${run.name} ${run.id}: ${line}`);
    }
    if (run.ending === 'timedOut' && run.faults.length === 0)
      yield violation('only injected faults cause timeouts', `${run.name} ${run.id}`);
  }
  for (const [queue, ids] of deadLetters) {
    for (const id of ids) {
      const runs = [...history.runs.values()].filter(({ messages }) => messages.includes(id));
      if (!runs.some((run) => wasHit(run)))
        yield violation('only injected faults cause dead letters', `${queue} ${id}`);
    }
  }
  if (isQuiet) return;
  const waiting = observed.rows().filter(({ sweepShard }) => String(sweepShard).startsWith('due#'));
  const rows = waiting.map(({ messageShard, taskKey, state }) => `${messageShard} ${taskKey} ${state}`);
  yield violation('all work ends', rows.slice(0, 5).join(', '));
}

/** Checks that each new subscription gets a confirmation request, unless the request is stuck after three resends. */
function* requestsConfirmation({ history, observed, wasDisturbed }: Evidence): Generator<Violation> {
  const stuck = observed.rows().filter(({ isStuck, isConfirmation }) => isStuck && isConfirmation);
  for (const [uuid, versions] of history.subscriptions) {
    const row = versions.at(-1)?.row;
    if (row === undefined || row.isActive || row.pausedReason !== undefined) continue;
    // Subscriptions are not checked if the client received no response, because the client then repeats the request.
    const previousAt =
      versions.findLast(({ row: one }) => one?.createdAt !== row.createdAt)?.at ?? Number.NEGATIVE_INFINITY;
    const createdAt = versions.find(({ at }) => at > previousAt)?.at ?? 0;
    const hasResponse = history.subscribed.some(
      (one) => one.uuid === uuid && one.from <= createdAt && createdAt <= one.to,
    );
    if (!hasResponse) continue;
    const isAsked = history.posts.some((post) => post.uuid === uuid && post.type === 'SubscriptionConfirmation');
    const isStuck = stuck.some(({ taskKey, messageId }) => taskKey === singleTaskKey(uuid) && wasDisturbed(messageId));
    // A confirmation request that has no row is lost only if an operator has emptied the request's queue.
    const hasRow = observed.rows().some(({ taskKey }) => taskKey === singleTaskKey(uuid));
    const isLost =
      !hasRow && history.purges.some(({ queue, at }) => queue.endsWith('Confirmations') && at >= createdAt);
    if (!isAsked && !isStuck && !isLost) yield violation('every new subscription gets a confirmation request', uuid);
  }
}

const rules: readonly Rule[] = [
  ({ history }) => history.violations,
  hasOnlyInjectedErrors,
  reachesEveryDueSubscription,
  recoversEveryMessage,
  deliversOnce,
  keepsContent,
  signsEveryMessage,
  reportsRefusedEntries,
  waitsForRetries,
  sendsOnlyWhenDue,
  sendsChosenFormat,
  keepsResponses,
  recordsOutcomes,
  reportsOnce,
  requestsConfirmation,
  retriesInTime,
  attemptsInTime,
  startsInTime,
  endsWithFailure,
  worksInProportion,
  journalsEverything,
  endsWithTopic,
  protectsOwners,
  importsFiles,
  readsPeople,
  notifiesOwners,
];

/**
 * Returns whether, since the given time, an operator emptied a queue, the message was delayed, or a fault hit a related
 * run. A run whose event contains no messages is related to every message.
 */
function isDisturbed({ runs, purges, delays }: History, messageId: string, since: number): boolean {
  const isAbout = (about: readonly string[]): boolean => about.length === 0 || about.includes(messageId);
  return (
    purges.some(({ at }) => at >= since) ||
    delays.some(({ at, about }) => at >= since && about.includes(messageId)) ||
    runs.values().some((run) => (run.endedAt ?? since) >= since && isAbout(run.about) && wasHit(run))
  );
}

/** Returns the time one minute before the last (-1) or second-to-last (-2) resumption of the rows of a message. */
function resumptionOf({ resumedAt }: History, messageId: string, taskKey: string, place: -1 | -2): number {
  const rows = [...resumedAt].filter(([name]) => name.includes(messageId) && name.endsWith(taskKey));
  return Math.min(...rows.map(([, times]) => times.at(place) ?? times.at(-1) ?? 0)) - minuteMs;
}

/** Returns all violations that the rules find in a simulated seed. */
export function judge(played: Played): Violation[] {
  const rows = played.observed.rows();
  const [states, stuck, full] = [deliveriesOf(rows), stuckMessages(rows), fullMessages(rows)];
  const { history } = played;
  // A fault before the last resumption also counts, because that resumption may have completed a message that was
  // reported as stuck.
  const wasDisturbed = (messageId: string): boolean =>
    full.has(messageId) || isDisturbed(history, messageId, resumptionOf(history, messageId, '', -2));
  const postsOf = Map.groupBy(played.history.posts, ({ messageId, uuid }) => pair(messageId, uuid));
  // If no fault occurred, the last resumption should have delivered the message.
  const mayBeStuck = (messageId: string, uuid: string): boolean => {
    const isStuck = (taskKey: string): boolean =>
      isDisturbed(history, messageId, resumptionOf(history, messageId, taskKey, -1));
    if (stuck.has(messageId) && (full.has(messageId) || isStuck(publicationKey))) return true;
    return states.get(pair(messageId, uuid))?.isStuck === true && isStuck(singleTaskKey(uuid));
  };
  const journal = played.observed.rowsOf<Evidence['journal'][number]>('journal');
  const topics = played.observed.rowsOf<Evidence['topics'][number]>('topics');
  const evidence = { ...played, states, postsOf, mayBeStuck, wasDisturbed, journal, topics };
  return rules.flatMap((rule) => [...rule(evidence)]);
}
