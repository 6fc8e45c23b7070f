import { randomUUID } from 'node:crypto';
import type { AwsResponse } from '../../../infra/local/aws/emulators/aws-call.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { sourceFolder } from '../../../shared/domain/documents/rendition.ts';
import { aBucketEvent } from '../../harness/bucket-event.ts';
import { aConfirmation, aTask, aTopic } from '../../harness/builders.ts';
import { openDocuments } from '../../harness/document-client.ts';
import { aBounce } from '../../harness/mail-feedback.ts';
import { status } from '../../harness/receiver.ts';
import { uniqueName } from '../../harness/world.ts';
import type { Scene } from './backstage.ts';

export const hour = 3_600_000;
export const ownOf = (uuid: string): Partial<DeliveryTask> => ({ taskKey: `one#${uuid}`, isSingle: true });

// The account is paused. If SES throttled the email instead, the function would first retry for 7 seconds.
const paused = 'AccountSendingPausedException';

const isMailing = ({ action }: { readonly action: string }): boolean => action === 'ses:SendRawEmail';

function refusalOfSes(code: string): AwsResponse {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error>`;
  const body = `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">${error}</ErrorResponse>`;
  return { status: 400, body, headers: { 'content-type': 'text/xml' } };
}

/** Scenes for messages in queues. */
export const workerScenes: Readonly<Record<string, Scene>> = {
  'an event is fanned out': async ({ newTopic, newSubscription, published, work }) => {
    const topic = await newTopic();
    await newSubscription(topic);
    await newSubscription(topic, { protocol: 'email' });
    await work('fanOut', await published(topic, 1000, { subject: 'death' }));
    // Fan-out then processes one event as a segment of a large topic and another event as a reconciliation.
    const event = await published(topic);
    await work('fanOut', { ...event, segment: { shardBits: 9, from: 0, to: 512 } });
    const segment = { shardBits: 1, from: 0, to: 1 };
    await work('fanOut', { ...(await published(topic)), isReconciliation: true, segment });
  },
  'fan-out sends a publication that has no row': async ({ newTopic, newSubscription, published, work }) => {
    const topic = await newTopic();
    await newSubscription(topic);
    const { notification } = await published(topic);
    const bodyKey = randomUUID();
    const unknown = { ...notification, messageId: randomUUID(), bodyKey };
    await work('fanOut', { publicationId: randomUUID(), notification: unknown });
  },
  'a reconciliation sends an event with a long body that was lost from the queue': async (backstage) => {
    const { newTopic, published, work, world } = backstage;
    const bodyKey = randomUUID();
    await openDocuments(world).putObject(`messages/${bodyKey}`, Buffer.from('{"source":"CR","uin":"1"}'));
    const stored = await published(await newTopic(), 1000, { subject: 'death', bodyKey });
    const { bodyBase64: _, ...notification } = stored.notification;
    await work('fanOut', { ...stored, notification, isReconciliation: true, isFirstFanOut: true });
  },
  'a recovery continues': async ({ newTopic, newSubscription, published, deliveries, expiresAt, work }) => {
    const topic = await newTopic();
    for (const protocol of ['http', 'email'] as const) {
      const { uuid } = await newSubscription(topic, { protocol });
      const { publicationId, notification } = await published(topic, 10 * 60_000);
      const skippedProtocols = ['http', 'email'];
      await work('fanOut', { publicationId, notification, isReconciliation: true, skippedProtocols });
      const [since, until] = [hour / 2, 0].map((ago) => new Date(Date.now() - ago).toISOString());
      const asked = { since: String(since), until: String(until), stepId: randomUUID() };
      await deliveries.startRecovery(uuid, asked, Date.now(), expiresAt);
      await work('fanOut', { recoveryOf: uuid });
    }
  },
  'events are delivered by http': async ({ newTopic, newSubscription, published, work }) => {
    const topic = await newTopic();
    const [fine, failing] = [await newSubscription(topic), await newSubscription(topic, { answering: status(500) })];
    const { notification } = await published(topic);
    // This subscription first gets a single delivery and later a retry.
    const split = await newSubscription(topic, { isFailing: true });
    await work('deliverByHttp', aTask(notification, [fine, failing, split]));
    await work('deliverSlowly', aTask(notification, [failing], { ...ownOf(failing.uuid), attempt: 1 }));
  },
  'messages to a subscriber that has failed for days are parked, and probes send them with their bodies': async (
    backstage,
  ) => {
    const { newTopic, newSubscription, published, deliveries, expiresAt, work, world, answering } = backstage;
    const bodyKey = randomUUID();
    await openDocuments(world).putObject(`messages/${bodyKey}`, Buffer.from('long'));
    for (const [protocol, lane] of [['http', 'deliverSlowly'] as const, ['email', 'deliverByEmail'] as const]) {
      const topic = await newTopic();
      const failing = { protocol, answering: status(500), isFailing: true, failingSince: Date.now() - 20 * 24 * hour };
      const receiver = await newSubscription(topic, { ...failing, activeSince: 1 });
      const tasks = Array.from({ length: 25 }, async () => {
        const { bodyBase64: _, ...notification } = (await published(topic, 20 * 24 * hour, { bodyKey })).notification;
        const task = aTask(notification, [receiver], ownOf(receiver.uuid));
        await deliveries.openSingle(task, Date.now(), expiresAt);
        return task;
      });
      const orderOf = ({ content }: DeliveryTask) => `${content.timestamp}#${content.messageId}`;
      const sorted = (await Promise.all(tasks)).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
      // The oldest message is retried and keeps its long body.
      await answering(isMailing, refusalOfSes(paused), () => work(lane, sorted[0]));
      await work(lane, sorted.at(-1));
      // The newest message is parked and then sent by a probe.
      await work('fanOut', { parkingOf: receiver.uuid });
      const recovered = await newSubscription(topic, { protocol, isFailing: true, failingSince: Date.now() - hour });
      await work(lane, aTask((await published(topic)).notification, [recovered], ownOf(recovered.uuid)));
    }
  },
  'the parked messages of a deleted subscription are released': async (backstage) => {
    const { newTopic, published, deliveries, expiresAt, work } = backstage;
    const { notification } = await published(await newTopic());
    for (const protocol of ['http', 'email'] as const) {
      const uuid = randomUUID();
      const task = { ...aTask(notification, [], { ...ownOf(uuid), protocol }), subscriptionUuids: [uuid] };
      await deliveries.openSingle(task, Date.now(), expiresAt);
      await deliveries.openParking(uuid, Date.now(), Date.now(), 30);
      const { messageId, timestamp: publishedAt } = notification;
      const row = { messageId, publishedAt, protocol, taskKey: task.taskKey, attempt: 0, rowShard: 0 };
      await deliveries.park(row, randomUUID(), expiresAt);
      await work('fanOut', { parkingOf: uuid });
    }
  },
  'an http subscriber receives a confirmation request': async (backstage) => {
    const { newTopic, newSubscription, work, deliveries, expiresAt } = backstage;
    const pending = await newSubscription(await newTopic(), { isActive: false });
    const task = aTask(aConfirmation(pending), [pending], ownOf(pending.uuid));
    await deliveries.openSingle(task, Date.now(), expiresAt);
    await work('requestConfirmationByHttp', task);
  },
  'an event is sent by email': async ({ newTopic, newSubscription, published, work, answering }) => {
    const topic = await newTopic();
    const reader = await newSubscription(topic, { protocol: 'email' });
    const { notification } = await published(topic);
    const split = await newSubscription(topic, { protocol: 'email', isFailing: true });
    const task = aTask(notification, [reader, split], { taskKey: '00#000000#email' });
    await work('deliverByEmail', task);
    const other = await published(topic);
    const postponed = { ...task, content: other.notification };
    await answering(isMailing, refusalOfSes(paused), () => work('deliverByEmail', postponed));
  },
  'a confirmation request that SES postpones is sent later, and one that SES rejects fails': async (backstage) => {
    const { newTopic, newSubscription, deliveries, expiresAt, work, answering } = backstage;
    for (const code of [paused, 'MessageRejected']) {
      const given = { protocol: 'email', isActive: false, maxRetries: code === paused ? 2 : 0 } as const;
      const pending = await newSubscription(await newTopic(), given);
      const task = aTask(aConfirmation(pending), [pending], ownOf(pending.uuid));
      await deliveries.openSingle(task, Date.now(), expiresAt);
      await answering(isMailing, refusalOfSes(code), () => work('requestConfirmationByEmail', task));
    }
  },
  'waiting tasks return to their lanes': async ({ newTopic, newSubscription, published, work }) => {
    const topic = await newTopic();
    const { notification } = await published(topic);
    for (const protocol of ['http', 'email'] as const) {
      const one = await newSubscription(topic, { protocol });
      const tasks = [
        aTask(notification, [one]),
        aTask(notification, [one], { shardBits: 9 }),
        aTask(notification, [one], ownOf(one.uuid)),
        aTask(aConfirmation(one), [one], ownOf(one.uuid)),
      ];
      await work('wait', ...tasks.map((task) => ({ notBefore: 0, task })));
      await work('wait', { notBefore: Date.now() + 60_000, task: tasks[0] });
    }
  },
  'mail bounces': async ({ newTopic, newSubscription, work }) => {
    const topic = await newTopic();
    const { uuid, generation } = await newSubscription(topic, { protocol: 'email' });
    await work('readMailFeedback', aBounce('Permanent', uuid, topic.uuid, { generation }));
    const pending = await newSubscription(topic, { protocol: 'email', isActive: false });
    const [request] = Object.values(pending.requests);
    const own = { message: String(request?.messageId), type: 'SubscriptionConfirmation' } as const;
    await work('readMailFeedback', aBounce('Permanent', pending.uuid, topic.uuid, own));
  },
  'the subscriptions of a deleted topic are removed': async ({ newSubscription, work }) => {
    const topic = aTopic();
    await newSubscription(topic);
    await work('removeSubscriptions', { topicUuid: topic.uuid, before: 'ffffffff-ffff-7fff-bfff-ffffffffffff' });
  },
  'a document about two persons is linked, then deleted with its links and conversions': async ({ world, work }) => {
    const documents = openDocuments(world);
    const [uin, second] = [uniqueName('first'), uniqueName('second')];
    const key = await documents.put(uin, `marriage/${second}/deed.pdf`, Buffer.from('deed'));
    await work('linkDocuments', aBucketEvent(key));
    await documents.putObject(`renditions/${sourceFolder(key)}/any/p0001.png`, Buffer.from('png'));
    await documents.removeObject(key);
    await work('linkDocuments', aBucketEvent(key));
  },
};
