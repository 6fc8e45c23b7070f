import { ownTaskKey } from '../../../shared/domain/deliveries/task-key.ts';
import { wantsEvent } from '../../../shared/domain/subscriptions/wants-event.ts';
import { keepsItsContent } from './content-of.ts';
import { type History, type SubscriptionFacts, wasStruck } from './history.ts';
import { importsFiles } from './judge-imports.ts';
import { keepsToOwners } from './judge-owners.ts';
import { readsPeople } from './judge-people.ts';
import { isRecovered, recovers, wasAskedAgain } from './judge-recoveries.ts';
import { type Broken, hasFailed, type Judged, pair, rowAt } from './judged.ts';
import { ledgerOf, stuckMessages } from './ledger-of.ts';
import type { Played } from './play.ts';

// How far the clocks of two functions may be apart for the engine (shared/domain/deliveries/times.ts).
const clockMs = 5000;
const retryAfterLimitMs = 86_400_000;

type Rule = (played: Judged) => Iterable<Broken>;

/** Whoever was active when a message was published and still is has got it, or has failed by their policy. */
function* delivers({ history, standing, plan, postsOf, isResting }: Judged): Generator<Broken> {
  for (const { messageId, isInLedger } of history.publications) {
    const message = history.messages.get(messageId);
    // Where only the queue took it and somebody emptied the queue, nobody can know of it.
    if (message === undefined) {
      const isPurged = !isInLedger && history.purges.some(({ queue }) => queue === 'fanOut');
      if (!isPurged) yield { invariant: 'a published message is not lost', what: messageId };
      continue;
    }
    for (const uuid of history.subscriptions.keys()) {
      const active = history.activeSince(uuid);
      if (active === undefined || active.row.generation !== message.generation) continue;
      if (active.since > message.timestamp - plan.skewMs) continue;
      // Whoever has changed what they want since then may have got it, or not.
      if (!history.isSince(uuid, message.timestamp - plan.skewMs, (row) => wantsEvent(row, message))) continue;
      const state = standing.get(pair(messageId, uuid));
      const posts = postsOf.get(pair(messageId, uuid)) ?? [];
      const told = `${messageId} to ${uuid} stands as ${state?.state ?? 'unknown'} after ${posts.length} attempts`;
      if (isResting(messageId, uuid)) continue;
      if (state === undefined) yield { invariant: 'everybody due is served', what: told };
      else if (state.state === 'delivered') continue;
      else if (state.state !== 'failed') yield { invariant: 'everybody due is served', what: told };
      else if (!hasFailed(history, uuid, posts)) yield { invariant: 'a policy is kept to its end', what: told };
      else if (!history.reports.some((one) => one.messageId === messageId && one.uuid === uuid))
        yield { invariant: 'what has failed is reported', what: told };
    }
  }
}

/** A message that was taken comes again only where a run died, or an answer was lost, before that was recorded. */
function* deliversOnce({ postsOf, history }: Judged): Generator<Broken> {
  for (const posts of postsOf.values()) {
    for (const [index, post] of posts.entries()) {
      const next = posts[index + 1];
      if (next === undefined || !post.isAccepted || post.type !== 'Notification') continue;
      const isHeard = post.outcome?.class === 'delivered';
      if (!isHeard && post.outcome !== undefined) continue;
      if (wasStruck(post.run, post.at)) continue;
      if (wasAskedAgain(history, post, next.at)) continue;
      yield {
        invariant: 'a message comes once',
        what: `${post.messageId} to ${post.uuid} again ${next.at - post.at} ms later`,
      };
    }
  }
}

/** No retry before its countdown, or before what the receiver asked for. */
function* waits({ postsOf, history, plan }: Judged): Generator<Broken> {
  for (const posts of postsOf.values()) {
    for (const [index, post] of posts.entries()) {
      const next = posts[index + 1];
      if (next === undefined || post.endedAt === undefined || post.type !== 'Notification') continue;
      if (post.outcome?.class === 'delivered' || wasStruck(post.run, post.at)) continue;
      const { endedAt, uuid, messageId, outcome } = post;
      const row = rowAt(history, uuid, post.at);
      if (row === undefined || history.redeliveries.some((at) => at >= post.at && at <= next.at)) continue;
      if (wasAskedAgain(history, post, next.at) || isRecovered(history, uuid, next.at)) continue;
      const asked = Math.min((outcome?.retryAfterSeconds ?? 0) * 1000, retryAfterLimitMs);
      const leastMs = outcome?.isPostponed ? asked : Math.max(row.countdownSeconds * 1000, asked);
      const waitedMs = next.at - endedAt;
      if (waitedMs < leastMs - 2 * plan.skewMs - 1)
        yield {
          invariant: 'no retry comes early',
          what: `${messageId} to ${uuid} after ${waitedMs} ms, not ${leastMs}`,
        };
    }
  }
}

const isTest = (body: string): boolean => JSON.parse(body).source === 'test';

/** It is not confirmed, or another client asks for what somebody has. */
const isAsked = ({ isActive, owner, requests }: SubscriptionFacts): boolean =>
  !isActive || Object.values(requests).some(({ caller, confirmedAt }) => caller !== owner && confirmedAt === undefined);

/** Nothing goes to who has left, has not confirmed, or came after the message was published. */
function* asksFirst({ history, plan }: Judged): Generator<Broken> {
  for (const { messageId, uuid, type, body, at, run } of history.posts) {
    const from = run?.startedAt ?? at;
    if (type === 'SubscriptionConfirmation') {
      if (!history.was(uuid, from, at, isAsked))
        yield { invariant: 'only who is asked is asked to confirm', what: `${uuid} at ${at}` };
      continue;
    }
    if (isTest(body)) {
      if (!history.tested.has(uuid) || !history.was(uuid, from, at, ({ isActive }) => isActive))
        yield { invariant: 'a test event comes to who asked for it', what: `${messageId} to ${uuid}` };
      continue;
    }
    const message = history.messages.get(messageId);
    const isDue = (row: SubscriptionFacts): boolean =>
      row.isActive &&
      message !== undefined &&
      row.generation === message.generation &&
      wantsEvent(row, message) &&
      (row.confirmedAt ?? row.createdAt) <= message.timestamp + clockMs + 2 * plan.skewMs;
    if (!history.was(uuid, from, at, isDue))
      yield { invariant: 'nothing comes to who does not want it', what: `${messageId} to ${uuid}` };
  }
}

/** What the ledger says is what receivers saw. */
function* remembers({ standing, postsOf, history }: Judged): Generator<Broken> {
  for (const [key, { state }] of standing) {
    const posts = postsOf.get(key) ?? [];
    const isTaken = posts.some(({ isAccepted }) => isAccepted);
    if (state === 'delivered' && !isTaken) yield { invariant: 'delivered is what a receiver took', what: key };
    const isKnown = posts.some(({ outcome, run, at }) => outcome?.class === 'delivered' && !wasStruck(run, at));
    const isAnew = history.again.some(({ messageId, uuid }) => pair(messageId, uuid) === key);
    if (isKnown && state !== 'delivered' && !isAnew)
      yield { invariant: 'what a receiver took is delivered', what: `${key}: ${state}` };
  }
  for (const { messageId, uuid, outcome, run, at } of history.posts) {
    if (outcome?.class !== 'delivered' || wasStruck(run, at) || !history.messages.has(messageId)) continue;
    if (!standing.has(pair(messageId, uuid)))
      yield { invariant: 'what a receiver took is delivered', what: `${pair(messageId, uuid)}: unknown` };
  }
}

/** A failure is reported once, but for runs that died before they could say that they had. */
function* reportsOnce({ history }: Judged): Generator<Broken> {
  const reports = Map.groupBy(history.reports, ({ messageId, uuid }) => pair(messageId, uuid));
  for (const [key, told] of reports) {
    const asked = history.again.filter(({ messageId, uuid }) => pair(messageId, uuid) === key).length;
    const recovered = history.recoveries.filter(({ uuid }) => key.endsWith(uuid)).length;
    const struck = told.filter(({ run }) => wasStruck(run)).length;
    const excused = struck + history.redeliveries.length / 2 + asked + recovered;
    if (told.length > 1 + excused)
      yield { invariant: 'a failure is reported once', what: `${key}: ${told.length} times` };
  }
}

/** Our own faults are only those that were put in the way. */
function* isSound({ history, deadLetters, isQuiet, observed }: Judged): Generator<Broken> {
  for (const run of history.runs.values()) {
    for (const line of run.logged) {
      if (/^stuckTask/.test(line) && hasStrikes(history)) continue;
      if (!wasStruck(run)) yield { invariant: 'no fault comes by itself', what: `${run.name} ${run.id}: ${line}` };
    }
    if (run.ending === 'timedOut' && run.strikes.length === 0)
      yield { invariant: 'no function takes too long by itself', what: `${run.name} ${run.id}` };
  }
  for (const [queue, ids] of deadLetters) {
    for (const id of ids) {
      const runs = [...history.runs.values()].filter(({ messages }) => messages.includes(id));
      if (!runs.some((run) => wasStruck(run)))
        yield { invariant: 'no dead letter but by a fault', what: `${queue} ${id}` };
    }
  }
  if (isQuiet) return;
  const waiting = observed.rows().filter(({ sweepShard }) => String(sweepShard).startsWith('due#'));
  const rows = waiting.map(({ messageSlice, taskKey, state }) => `${messageSlice} ${taskKey} ${state}`);
  yield { invariant: 'it comes to rest', what: rows.slice(0, 5).join(', ') };
}

/** Whoever subscribes is asked to confirm, unless that was sent again three times in vain and rests. */
function* asksToConfirm({ history, observed }: Judged): Generator<Broken> {
  const resting = observed.rows().filter(({ isStuck, isConfirmation }) => isStuck && isConfirmation);
  for (const [uuid, versions] of history.subscriptions) {
    const row = versions.at(-1)?.row;
    if (row === undefined || row.isActive || row.pausedReason !== undefined) continue;
    // Who got no answer knows nothing, and asks again.
    const began = versions.findLast(({ row: one }) => one?.createdAt !== row.createdAt)?.at ?? Number.NEGATIVE_INFINITY;
    const made = versions.find(({ at }) => at > began)?.at ?? 0;
    const isAnswered = history.subscribed.some((one) => one.uuid === uuid && one.from <= made && made <= one.to);
    if (!isAnswered) continue;
    const isAsked = history.posts.some((post) => post.uuid === uuid && post.type === 'SubscriptionConfirmation');
    const isResting = hasStrikes(history) && resting.some(({ taskKey }) => taskKey === ownTaskKey(uuid));
    if (!isAsked && !isResting) yield { invariant: 'whoever subscribes is asked to confirm', what: uuid };
  }
}

const rules: readonly Rule[] = [
  isSound,
  delivers,
  recovers,
  deliversOnce,
  keepsItsContent,
  waits,
  asksFirst,
  remembers,
  reportsOnce,
  asksToConfirm,
  keepsToOwners,
  importsFiles,
  readsPeople,
];

const hasStrikes = (history: History): boolean => history.runs.values().some(({ strikes }) => strikes.length > 0);

/** Every promise that a play has broken. */
export function judge(played: Played): Broken[] {
  const rows = played.observed.rows();
  const [standing, stuck] = [ledgerOf(rows), stuckMessages(rows)];
  const postsOf = Map.groupBy(played.history.posts, ({ messageId, uuid }) => pair(messageId, uuid));
  const mayRest = hasStrikes(played.history);
  const isResting = (messageId: string, uuid: string): boolean =>
    mayRest && (stuck.has(messageId) || standing.get(pair(messageId, uuid))?.isStuck === true);
  return rules.flatMap((rule) => [...rule({ ...played, standing, postsOf, isResting })]);
}
