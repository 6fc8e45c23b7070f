import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SweepTools, sweepOnce } from '../../../shared/delivery/engine/sweep.ts';
import type { Notification } from '../../../shared/domain/deliveries/message.ts';
import { auditMs, graceMs } from '../../../shared/domain/deliveries/times.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { withinInvocation } from '../../../shared/lambda/time-left.ts';
import type { FanOutPayload } from '../../../shared/model/deliveries/fan-out-payload.ts';
import { ledger } from '../../../shared/storage/deliveries/ledger.ts';
import { toItem } from '../../../shared/storage/dynamo.ts';
import { backlog } from '../../../shared/storage/queues/backlog.ts';
import { queues as queueStore } from '../../../shared/storage/queues/store.ts';
import { subscriptions } from '../../../shared/storage/subscriptions/subscriptions.ts';
import { aConfirmation, aNotification, aTask, noon, tokenOf } from '../../harness/builders.ts';
import { aPublication, expiresAt, leaseMs } from '../../harness/deliveries.ts';
import { type Interference, letBetween } from '../../harness/interference.ts';
import { seededBytes } from '../../harness/random.ts';
import { status } from '../../harness/receiver.ts';
import { useTaskHarness } from '../../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, subscription, deliver, single, queued } = harness;
const nothing = { audited: 0, resumed: 0, asked: 0, ended: 0, putOff: 0, stuck: 0 };
let sweeper: SweepTools;
const failed: unknown[] = [];
let dueForMs: number[] = [];
beforeEach(() => {
  failed.length = 0;
  dueForMs = [];
  const { dynamodb, sqs, tables, queues } = harness;
  sweeper = {
    ledger: ledger.permissions.sweep(dynamodb.client, tables.deliveries),
    subscriptions: {
      ...subscriptions.permissions.sweep(dynamodb.client, tables.subscriptions),
      ...subscriptions.permissions.fanOut(dynamodb.client, tables.subscriptions),
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
    leastPerSecond: () => 40,
    onFault: (error) => {
      throw error;
    },
    onOldest: (ms) => void dueForMs.push(ms),
    onFailed: (messageId, uuid, outcome) => void failed.push({ messageId, uuid, ...outcome }),
    now: harness.now,
    newId: () => crypto.randomUUID(),
    randomBytes: seededBytes(1),
  };
});

/** A publication in the ledger, and its content. */
async function published(given: Partial<Notification> = {}) {
  const publication = aPublication({ topicUuid: topic.uuid, generation: topic.generation, ...given });
  await ledger.permissions
    .open(harness.dynamodb.client, harness.tables.deliveries)
    .open(publication, 'publication', noon, expiresAt);
  return { publication, content: { type: 'Notification', ...publication } as const };
}

describe('what the queues have lost is made again', () => {
  it('a retry, when its time is long past, once', async () => {
    const person = await subscriber();
    const { content } = await published();
    harness.receiver.answer(status(500));
    await deliver(aTask(content, [person]));
    harness.moveTo(noon + 60_000 + graceMs - 1);
    expect(await sweepOnce(sweeper)).toEqual(nothing);
    harness.pass(1 + 90_000);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, resumed: 1 });
    expect(await sweepOnce(sweeper)).toEqual(nothing);
    expect(dueForMs).toEqual([0, 90_000, 0]);
    expect(queued()).toEqual([aTask(content, [person], { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 1 })]);
  });

  it('an attempt whose run has died, under its own number', async () => {
    const person = await subscriber();
    const { content } = await published();
    const own = aTask(content, [person], { taskKey: `one#${person.uuid}`, isSingle: true, attempt: 3 });
    const dying = { ...harness.engine.ledger, recordSingle: () => Promise.reject(new Error('killed')) };
    await expect(deliver(own, { ...harness.engine, ledger: dying })).rejects.toThrow('killed');
    harness.moveTo(noon + leaseMs + graceMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, resumed: 1 });
    expect(queued()).toEqual([own]);
    for (const task of queued()) await deliver(task);
    expect(await single(person)).toMatchObject({ state: 'delivered', attempt: 3 });
  });

  it('a first attempt that was moved to a task of its own', async () => {
    const people = [await subscriber({ isFailing: true }), await subscriber()];
    const { content } = await published();
    const losing = { sendMany: async () => {} };
    await deliver(aTask(content, people), { ...harness.engine, laterLane: losing });
    harness.moveTo(noon + graceMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, resumed: 1 });
    expect(queued()).toMatchObject([{ attempt: 0, subscriptionUuids: [people[0]?.uuid] }]);
  });

  it('a publication, as an audit, again and again until it is settled, each time four times as late', async () => {
    const { publication } = await published({
      bodyBase64: Buffer.alloc(5000).toString('base64'),
      bodyKey: 'publication',
    });
    const audits = () => harness.payloadsIn<FanOutPayload>('fanOut');
    for (const [rounds, at] of [auditMs, 5 * auditMs].entries()) {
      harness.moveTo(noon + at - 1);
      expect(await sweepOnce(sweeper)).toEqual(nothing);
      harness.pass(1);
      expect(await sweepOnce(sweeper)).toEqual({ ...nothing, audited: 1 });
      expect(audits()).toHaveLength(rounds + 1);
    }
    // The long body stays where it is.
    const { bodyBase64: _, ...notification } = publication;
    expect(audits()[0]).toEqual({ publicationId: 'publication', notification, isAudit: true, isUnbegun: true });
    await ledger.permissions.fanOut(harness.dynamodb.client, harness.tables.deliveries).settle(publication.messageId);
    harness.pass(64 * auditMs);
    expect(await sweepOnce(sweeper)).toEqual(nothing);
  });
});

describe('the audit of a message whose topic has few subscriptions', () => {
  const partitioned = async () => {
    const { publication, content } = await published();
    await ledger.permissions
      .fanOut(harness.dynamodb.client, harness.tables.deliveries)
      .partition(publication.messageId, 'publication', 0);
    return content;
  };
  const audits = () => harness.payloadsIn<FanOutPayload>('fanOut');

  it('is made by the sweeper where everybody has it: it is settled, and nothing is queued', async () => {
    const people = [await subscriber(), await subscriber()];
    await deliver(aTask(await partitioned(), people));
    harness.moveTo(noon + auditMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, audited: 1 });
    expect(audits()).toEqual([]);
    harness.pass(64 * auditMs);
    expect(await sweepOnce(sweeper)).toEqual(nothing);
  });

  it('goes through the queue where anybody has nothing of it', async () => {
    const [person] = [await subscriber(), await subscriber()];
    await deliver(aTask(await partitioned(), [person]));
    harness.moveTo(noon + auditMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, audited: 1 });
    expect(audits()).toHaveLength(1);
    harness.pass(4 * auditMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, audited: 1 });
  });

  it('goes through the queue where a page of them is short, and the next holds one who has nothing', async () => {
    // A page of DynamoDB ends with 1 MB, whatever number was asked for.
    const subjects = [topic.name, 'x'.repeat(30_000)];
    const people = await Promise.all(Array.from({ length: 40 }, () => subscriber({ subjects })));
    const [last, ...others] = people.toSorted((one, other) => (one.uuid < other.uuid ? 1 : -1));
    await deliver(aTask(await partitioned(), others));
    harness.moveTo(noon + auditMs);
    await sweepOnce(sweeper);
    expect(audits()).toHaveLength(1);
    expect(await harness.outcomes()).not.toHaveProperty(String(last?.uuid));
  });

  it('goes through the queue where the sweeper cannot read what it takes, which is told, and rests after the third time', async () => {
    const content = await partitioned();
    const [person] = [await subscriber()];
    await deliver(aTask(content, [person]));
    const { taskKey, messageSlice } = (await harness.ledger()).find((row) => row.outcomes !== undefined) ?? {};
    await harness.put('deliveries', toItem({ messageSlice, taskKey, state: 'of another form' }));
    const faults: unknown[] = [];
    const looking = { ...sweeper, onFault: (error: unknown) => void faults.push(error) };
    for (const rounds of [1, 2, 3]) {
      harness.pass(64 * auditMs);
      expect(await sweepOnce(looking)).toEqual({ ...nothing, audited: 1 });
      expect(audits()).toHaveLength(rounds);
    }
    harness.pass(64 * auditMs);
    expect(await sweepOnce(looking)).toEqual({ ...nothing, stuck: 1 });
    const unread = { name: '$ZodError' };
    expect(faults).toMatchObject([unread, unread, unread, unread, { fault: 'stuckTask' }]);
    harness.pass(64 * auditMs);
    expect(await sweepOnce(looking)).toEqual(nothing);
  });

  it('goes through the queue where its topic is throttled, which holds up the sweeper for seconds and not for its whole run', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const person = await subscriber();
    await deliver(aTask(await partitioned(), [person]));
    harness.moveTo(noon + auditMs);
    const throttled: Interference['wire'] = ({ input }, go) => {
      if (input.IndexName !== 'activeByTopic') return go();
      harness.pass(100);
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    };
    onTestFinished(letBetween(harness.dynamodb.client, () => ({ wire: throttled })));
    const endsAt = harness.now() + 55_000;
    await withinInvocation(
      () => endsAt - harness.now(),
      () => sweepOnce(sweeper),
    );
    expect(audits()).toHaveLength(1);
    expect(endsAt - harness.now()).toBeGreaterThan(50_000);
  });

  it('goes through the queue where the topic has many', async () => {
    const people = await Promise.all(Array.from({ length: 100 }, () => subscriber()));
    // Those beyond the first have a task alone, and the row knows of them.
    await deliver(aTask(await partitioned(), people));
    harness.moveTo(noon + auditMs);
    expect(await sweepOnce(sweeper)).toMatchObject({ audited: 1 });
    expect(audits()).toHaveLength(1);
  });
});

describe('a retry whose message the ledger has forgotten', () => {
  it('is told of as failed before its row is ended, unless its subscription has left', async () => {
    const [person, leaving] = [await subscriber(), await subscriber()];
    harness.receiver.answer(status(500));
    const content = aNotification(topic);
    await deliver(aTask(content, [person, leaving]));
    await harness.subscriptionStore().remove(leaving.uuid, noon);
    harness.moveTo(noon + 60_000 + graceMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, ended: 2 });
    expect(failed).toEqual([{ messageId: content.messageId, uuid: person.uuid, class: 'expired' }]);
    expect(await single(person)).toMatchObject({ state: 'dropped' });
  });
});

describe('a confirmation whose retry was lost', () => {
  const lost = async () => {
    const person = await subscriber({ isActive: false, activeSince: undefined });
    harness.receiver.answer(status(500));
    const [request] = Object.values(person.requests);
    const content = aConfirmation(person, { messageId: request?.messageId ?? '' });
    await deliver(aTask(content, [person], { taskKey: `one#${person.uuid}`, isSingle: true }));
    harness.moveTo(noon + 60_000 + graceMs);
    return person;
  };

  it('is asked for again under another token, since no one keeps tokens', async () => {
    const person = await lost();
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, asked: 1 });
    const [task] = queued();
    if (task?.content.type !== 'SubscriptionConfirmation') throw new Error('no confirmation was sent');
    // Its attempts are counted on.
    expect(task).toMatchObject({ attempt: 1, subscriptionUuids: [person.uuid] });
    const [before, next] = Object.entries((await subscription(person.uuid)).requests).toSorted(
      ([, one], [, other]) => one.askedAt - other.askedAt,
    );
    expect(Object.fromEntries([before ?? []])).toEqual(person.requests);
    expect(next).toMatchObject([
      hashToken(task.content.token),
      { countdownSeconds: 60, maxRetries: 2, caller: 'client' },
    ]);
    expect((await harness.ledger()).map(({ state }) => state).toSorted()).toEqual(['dropped', 'waiting']);
    expect(await sweepOnce(sweeper)).toEqual(nothing);
  });

  it('is asked for again even if we die before the new one is sent', async () => {
    await lost();
    const dying = {
      ...sweeper,
      queues: { ...sweeper.queues, httpConfirmations: { send: () => Promise.reject(new Error('killed')) } },
    };
    await expect(sweepOnce(dying)).rejects.toThrow('killed');
    harness.pass(4 * graceMs);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, asked: 1 });
    expect(queued()).toHaveLength(1);
  });

  it.each<[string, (uuid: string) => Promise<unknown>]>([
    ['was confirmed', (uuid) => harness.subscriptionStore().confirm(uuid, hashToken(tokenOf(uuid)), noon)],
    ['is gone', (uuid) => harness.subscriptionStore().remove(uuid, noon)],
  ])('is ended where the subscription %s', async (_what, change) => {
    const person = await lost();
    await change(person.uuid);
    expect(await sweepOnce(sweeper)).toEqual({ ...nothing, ended: 1 });
    expect(queued()).toEqual([]);
    expect(await single(person)).toMatchObject({ state: 'dropped' });
  });
});
