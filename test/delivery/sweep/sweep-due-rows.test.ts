import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SweepTools } from '../../../shared/delivery/sweep/resume-row.ts';
import { sweepDueRows } from '../../../shared/delivery/sweep/sweep-due-rows.ts';
import type { CarriedNotification, FanOutPayload } from '../../../shared/domain/deliveries/message.ts';
import { graceMs, reconcileAfterMs } from '../../../shared/domain/deliveries/times.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import { deliveries } from '../../../shared/storage/deliveries/store.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { backlog } from '../../../shared/storage/queues/backlog.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/store.ts';
import { aConfirmation, aNotification, aTask, noon, tokenOf } from '../../harness/builders.ts';
import { aPublication, expiresAt } from '../../harness/deliveries.ts';
import { type Interference, interfereWith } from '../../harness/interference.ts';
import { seededBytes } from '../../harness/random.ts';
import { status } from '../../harness/receiver.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, subscription, deliver, single, queued } = harness;
const nothing = { reconciled: 0, resumed: 0, visited: 0, notified: 0, asked: 0, ended: 0, postponed: 0, stuck: 0 };
let sweeper: SweepTools;
const failed: unknown[] = [];
let dueForMs: number[] = [];
beforeEach(() => {
  failed.length = 0;
  dueForMs = [];
  const { dynamodb, sqs, tables, queues } = harness;
  sweeper = {
    deliveries: deliveries.permissions.sweep(dynamodb.client, tables.deliveries),
    subscriptions: {
      ...subscriptions.permissions.renewRequest(dynamodb.client, tables.subscriptions),
      ...subscriptions.permissions.listActive(dynamodb.client, tables.subscriptions),
    },
    queues: {
      ...queueStore.permissions.fanOut(sqs.client, queues.fanOut),
      ...queueStore.permissions.slow(sqs.client, queues.slow),
      ...queueStore.permissions.email(sqs.client, queues.email),
      ...queueStore.permissions.httpConfirmations(sqs.client, queues.httpConfirmations),
      ...queueStore.permissions.emailConfirmations(sqs.client, queues.emailConfirmations),
    },
    backlog: {
      ...backlog.permissions.fanOut(sqs.client, queues.fanOut),
      ...backlog.permissions.retry(sqs.client, queues.retry),
      ...backlog.permissions.http(sqs.client, queues.http),
      ...backlog.permissions.mass(sqs.client, queues.mass),
      ...backlog.permissions.slow(sqs.client, queues.slow),
      ...backlog.permissions.email(sqs.client, queues.email),
      ...backlog.permissions.httpConfirmations(sqs.client, queues.httpConfirmations),
      ...backlog.permissions.emailConfirmations(sqs.client, queues.emailConfirmations),
    },
    settings: { deliveryDays: 30 },
    leastPerSecond: () => 40,
    onError: (error) => {
      throw error;
    },
    onOldest: (ms) => void dueForMs.push(ms),
    onFailed: (messageId, uuid, outcome) => void failed.push({ messageId, uuid, ...outcome }),
    now: harness.now,
    newId: () => crypto.randomUUID(),
    randomBytes: seededBytes(1),
  };
});

/** Creates a message and stores its row in the deliveries table. */
async function published(given: Partial<CarriedNotification> = {}) {
  const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation, ...given });
  await harness.publishing().createMessage(publication, 'publication', noon, expiresAt);
  return { publication, content: { type: 'Notification', ...publication } as const };
}

const reconciliations = () => harness.payloadsIn<FanOutPayload>('fanOut');
const fanOut = () => deliveries.permissions.fanOut(harness.dynamodb.client, harness.tables.deliveries);

it('the sweeper resumes a retry whose timer was lost, but only once', async () => {
  const person = await subscriber();
  const { content } = await published();
  harness.receiver.answer(status(500));
  await deliver(aTask(content, [person]));
  harness.moveTo(noon + 60_000 + graceMs - 1);
  expect(await sweepDueRows(sweeper)).toEqual(nothing);
  harness.pass(1 + 90_000);
  expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, resumed: 1 });
  expect(await sweepDueRows(sweeper)).toEqual(nothing);
  expect(dueForMs).toEqual([0, 90_000, 0]);
  expect(queued()).toEqual([aTask(content, [person], { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 1 })]);
});

it('the sweeper reconciles an incomplete message after one interval, and again after four more intervals', async () => {
  const { publication } = await published({
    bodyBase64: Buffer.alloc(5000).toString('base64'),
    bodyKey: 'publication',
  });
  for (const [rounds, at] of [reconcileAfterMs, 5 * reconcileAfterMs].entries()) {
    harness.moveTo(noon + at - 1);
    expect(await sweepDueRows(sweeper)).toEqual(nothing);
    harness.pass(1);
    expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, reconciled: 1 });
    expect(reconciliations()).toHaveLength(rounds + 1);
  }
  // The payload omits the long body, which is in S3.
  const { bodyBase64: _, ...notification } = publication;
  expect(reconciliations()[0]).toEqual({
    publicationId: 'publication',
    notification,
    isReconciliation: true,
    isFirstFanOut: true,
  });
  await fanOut().completeMessage(publication.messageId);
  harness.pass(64 * reconcileAfterMs);
  expect(await sweepDueRows(sweeper)).toEqual(nothing);
});

it('the sweeper reports a row that it cannot process, then continues with the other rows', async () => {
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push((await published()).publication.messageId);
  const [broken, ...others] = ids;
  const [error, faults] = [new Error('this row cannot be read'), [] as unknown[]];
  const { getMessage } = sweeper.deliveries;
  const failing: SweepTools = {
    ...sweeper,
    deliveries: { ...sweeper.deliveries, getMessage: (id) => (id === broken ? Promise.reject(error) : getMessage(id)) },
    onError: (...fault) => void faults.push(fault),
  };
  harness.moveTo(noon + reconcileAfterMs);
  expect(await sweepDueRows(failing)).toEqual({ ...nothing, reconciled: 3 });
  const queuedIds = reconciliations().map(({ notification }) => notification.messageId);
  expect(queuedIds.toSorted()).toEqual(others.toSorted());
  // The sweeper reads the message twice: once to reconcile it and once to queue its reconciliation.
  expect(faults).toMatchObject([
    [error, { messageId: broken }],
    [error, { messageId: broken }],
  ]);
});

describe('the reconciliation of a small topic', () => {
  const partitioned = async () => {
    const { publication, content } = await published();
    await fanOut().fixShards(publication.messageId, 'publication', 0);
    return content;
  };

  it('the sweeper reconciles a small topic if every delivery is recorded', async () => {
    const people = [await subscriber(), await subscriber()];
    await deliver(aTask(await partitioned(), people));
    harness.moveTo(noon + reconcileAfterMs);
    expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, reconciled: 1 });
    expect(reconciliations()).toEqual([]);
    harness.pass(64 * reconcileAfterMs);
    expect(await sweepDueRows(sweeper)).toEqual(nothing);
  });

  it('the sweeper queues the reconciliation if a page of subscriptions is short and a later delivery is missing', async () => {
    // DynamoDB ends a page after 1 MB, regardless of the requested limit.
    const subjects = [topic.name, 'x'.repeat(30_000)];
    const people = await Promise.all(Array.from({ length: 40 }, () => subscriber({ subjects })));
    const [last, ...others] = people.toSorted((one, other) => (one.uuid < other.uuid ? 1 : -1));
    await deliver(aTask(await partitioned(), others));
    harness.moveTo(noon + reconcileAfterMs);
    await sweepDueRows(sweeper);
    expect(reconciliations()).toHaveLength(1);
    expect(await harness.outcomes()).not.toHaveProperty(String(last?.uuid));
  });

  it('if the sweeper cannot read the rows, it reports the error and queues the reconciliation, up to three times', async () => {
    const content = await partitioned();
    const [person] = [await subscriber()];
    await deliver(aTask(content, [person]));
    const { taskKey, messageShard } = (await harness.deliveries()).find((row) => row.outcomes !== undefined) ?? {};
    await harness.put('deliveries', toItem({ messageShard, taskKey, state: 'of another form' }));
    const faults: unknown[] = [];
    const looking = { ...sweeper, onError: (error: unknown) => void faults.push(error) };
    for (const rounds of [1, 2, 3]) {
      harness.pass(64 * reconcileAfterMs);
      expect(await sweepDueRows(looking)).toEqual({ ...nothing, reconciled: 1 });
      expect(reconciliations()).toHaveLength(rounds);
    }
    harness.pass(64 * reconcileAfterMs);
    expect(await sweepDueRows(looking)).toEqual({ ...nothing, stuck: 1 });
    const unread = { name: '$ZodError' };
    expect(faults).toMatchObject([unread, unread, unread, unread, { errorName: 'stuckTask' }]);
    harness.pass(64 * reconcileAfterMs);
    expect(await sweepDueRows(looking)).toEqual(nothing);
  });

  it('if DynamoDB throttles reads, the sweeper queues the reconciliation and is delayed by less than 5 seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const person = await subscriber();
    await deliver(aTask(await partitioned(), [person]));
    harness.moveTo(noon + reconcileAfterMs);
    const throttled: Interference['wire'] = ({ input }, go) => {
      if (input.IndexName !== 'activeByTopic') return go();
      harness.pass(100);
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    };
    onTestFinished(interfereWith(harness.dynamodb.client, () => ({ wire: throttled })));
    const endsAt = harness.now() + 55_000;
    await withinInvocation(
      () => endsAt - harness.now(),
      () => sweepDueRows(sweeper),
    );
    expect(reconciliations()).toHaveLength(1);
    expect(endsAt - harness.now()).toBeGreaterThan(50_000);
  });

  it('the sweeper queues the reconciliation if the topic is large', async () => {
    const people = await Promise.all(Array.from({ length: 100 }, () => subscriber()));
    // A batch sends at most `maxBatchAttempts` deliveries. The row of the batch records all further deliveries as
    // single deliveries.
    await deliver(aTask(await partitioned(), people));
    harness.moveTo(noon + reconcileAfterMs);
    expect(await sweepDueRows(sweeper)).toMatchObject({ reconciled: 1 });
    expect(reconciliations()).toHaveLength(1);
  });
});

it('a retry of an expired message is reported as failed before its row expires, unless the subscription is deleted', async () => {
  const [person, leaving] = [await subscriber(), await subscriber()];
  harness.receiver.answer(status(500));
  const content = aNotification(topic);
  await deliver(aTask(content, [person, leaving]));
  await harness.subscriptionStore().removeView(leaving, leaving);
  harness.moveTo(noon + 60_000 + graceMs);
  expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, ended: 2 });
  expect(failed).toEqual([{ messageId: content.messageId, uuid: person.uuid, class: 'expired' }]);
  expect(await single(person)).toMatchObject({ state: 'dropped' });
});

describe('a confirmation request whose retry was lost', () => {
  const lost = async () => {
    const person = await subscriber({ isActive: false, activeSince: undefined });
    harness.receiver.answer(status(500));
    const [request] = Object.values(person.requests);
    const content = aConfirmation(person, { messageId: request?.messageId ?? '' });
    await deliver(aTask(content, [person], { taskKey: `one#${person.uuid}`, isSingle: true }));
    harness.moveTo(noon + 60_000 + graceMs);
    return person;
  };

  it('a lost confirmation request is sent again with a new token, because the old token is not stored', async () => {
    const person = await lost();
    expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, asked: 1 });
    const [task] = queued();
    if (task?.content.type !== 'SubscriptionConfirmation') throw new Error('no confirmation was sent');
    // Attempts with the old token count as attempts for the new confirmation request.
    expect(task).toMatchObject({ attempt: 1, subscriptionUuids: [person.uuid] });
    const [before, next] = Object.entries((await subscription(person.uuid)).requests).toSorted(
      ([, one], [, other]) => one.requestedAt - other.requestedAt,
    );
    expect(Object.fromEntries([before ?? []])).toMatchObject(person.requests);
    expect(next).toMatchObject([
      hashToken(task.content.token),
      { countdownSeconds: 60, maxRetries: 2, caller: 'client' },
    ]);
    expect((await harness.deliveries()).map(({ state }) => state).toSorted()).toEqual(['dropped', 'waiting']);
    expect(await sweepDueRows(sweeper)).toEqual(nothing);
  });

  it('a lost confirmation request is sent again even if the process stops before it sends the new request', async () => {
    await lost();
    const send = () => Promise.reject(new Error('killed'));
    const dying = { ...sweeper, queues: { ...sweeper.queues, httpConfirmations: { send, sendMany: send } } };
    await expect(sweepDueRows(dying)).rejects.toThrow('killed');
    harness.pass(4 * graceMs);
    expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, asked: 1, ended: 1 });
    expect(queued()).toHaveLength(1);
  });

  it.each<[string, (person: StoredSubscription) => Promise<unknown>]>([
    ['was confirmed', ({ uuid }) => harness.subscriptionStore().confirm(uuid, hashToken(tokenOf(uuid)), noon)],
    ['is deleted', (person) => harness.subscriptionStore().removeView(person, person)],
  ])('a lost confirmation request is dropped if the subscription %s', async (_what, change) => {
    const person = await lost();
    await change(person);
    expect(await sweepDueRows(sweeper)).toEqual({ ...nothing, ended: 1 });
    expect(queued()).toEqual([]);
    expect(await single(person)).toMatchObject({ state: 'dropped' });
  });
});
