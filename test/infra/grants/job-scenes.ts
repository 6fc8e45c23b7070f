import { randomUUID } from 'node:crypto';
import { aConfirmation, aTask } from '../../harness/builders.ts';
import { status } from '../../harness/receiver.ts';
import type { Scene } from './backstage.ts';
import { hour, ownOf } from './worker-scenes.ts';

/** Scenes for scheduled jobs and for jobs that operators start. */
export const jobScenes: Readonly<Record<string, Scene>> = {
  'an operator links existing documents': ({ invoke }) => invoke('indexDocuments', {}),
  'the journal is exported': async ({ invoke, forgetExports }) => {
    await forgetExports();
    await invoke('exportJournal', {});
  },
  'an operator fills search indexes': async (backstage) => {
    const { forgetIndexes, invoke, work, personWithoutKeys, lastPass } = backstage;
    await forgetIndexes();
    await personWithoutKeys();
    const { run } = (await invoke('reindexPersons', {})) as { run: string };
    await work('fillIndexes', { run });
    await lastPass(run);
    await work('fillIndexes', { run });
  },
  'the recipients of events are exported before the deliveries expire': async (backstage) => {
    const { newTopic, published, journal, invoke, forgetExports } = backstage;
    await forgetExports();
    const topic = await newTopic();
    // The first hour is already due. The second hour becomes due if the clock passes a full hour during the scene.
    for (const hours of [23 * 24 + 1, 23 * 24]) {
      const { notification } = await published(topic, hours * hour, { subject: 'death' });
      const { messageId, timestamp } = notification;
      const row = { operation: 'publishEvent', requestId: messageId, caller: 'registrar', event: 'death' };
      await journal.putMany({ id: messageId, rows: [row], at: Date.parse(timestamp), days: 400 });
    }
    await invoke('exportDeliveries', {});
  },
  'the sweeper finds deliveries that were lost from the queues': async (backstage) => {
    const { newTopic, newSubscription, published, deliveries, expiresAt, invoke } = backstage;
    const topic = await newTopic();
    const longAgo = Date.now() - hour;
    for (const protocol of ['http', 'email'] as const) {
      const active = await newSubscription(topic, { protocol });
      const { notification } = await published(topic, hour);
      const lost = aTask(notification, [active], ownOf(active.uuid));
      await deliveries.openSingle(lost, longAgo, expiresAt);
      const pending = await newSubscription(topic, { protocol, isActive: false });
      const [request] = Object.values(pending.requests);
      const asking = aConfirmation(pending, { messageId: String(request?.messageId) });
      await deliveries.openSingle(aTask(asking, [pending], ownOf(pending.uuid)), longAgo, expiresAt);
    }
    // A message whose fan-out is complete.
    const { publicationId, notification } = await published(topic, hour);
    await deliveries.fixShards(notification.messageId, publicationId, 0);
    const { uuid } = await newSubscription(topic);
    const asked = { since: new Date(longAgo).toISOString(), until: new Date().toISOString(), stepId: randomUUID() };
    await deliveries.startRecovery(uuid, asked, longAgo, expiresAt);
    await invoke('sweep', {});
  },
  'an operator redelivers messages': async ({ newTopic, newSubscription, world, invoke, published, failed }) => {
    const topic = await newTopic();
    const given = { answering: status(400), countdownSeconds: 1, maxRetries: 0 };
    const { uuid } = await newSubscription(topic, given);
    const messageId = await world.publish(topic, { source: 'CR' });
    await world.attemptsAt(messageId, uuid);
    const reader = await newSubscription(topic, { protocol: 'email' });
    const { notification } = await published(topic);
    await failed(aTask(notification, [reader], ownOf(reader.uuid)));
    await invoke('redeliver', { messageId: notification.messageId });
    const choices = [{ messageId }, { subscription: uuid }, { since: new Date(Date.now() - hour).toISOString() }];
    for (const choice of choices) await invoke('redeliver', choice);
  },
  'an operator recovers a subscription': async ({ newTopic, newSubscription, invoke }) => {
    const { uuid } = await newSubscription(await newTopic());
    await invoke('recover', { subscription: uuid });
  },
};
