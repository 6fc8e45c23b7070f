import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { storedSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { eventually } from '../harness/eventually.ts';
import { sqsEvent } from '../harness/lambda-events.ts';
import { aBounce, aComplaint, aReject } from '../harness/mail-feedback.ts';
import { confirmedReader, linkIn, mailsTo, newReader, subscriptionRow } from '../harness/mail-reader.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const { aws, outputs } = world;
leavesNoErrors(world);

/** Puts a feedback event from SES into the queue to which SNS delivers feedback. */
const tell = (event: unknown) =>
  aws.sqs.send(
    new SendMessageCommand({ QueueUrl: outputs.resources.queues.mailFeedback, MessageBody: JSON.stringify(event) }),
  );

const stored = async (uuid: string) => storedSubscription.parse(await subscriptionRow(world, uuid));

test('a bounced confirmation email invalidates its link, and the next subscribe request sends a new link', async () => {
  const { topic, address, pending, confirmLink } = await newReader(world);
  const [request] = Object.values((await stored(pending.uuid)).requests);
  const own = { message: String(request?.messageId), type: 'SubscriptionConfirmation' } as const;
  const bounced = sqsEvent(aBounce('Permanent', pending.uuid, topic.uuid, own));
  expect(await stack.invoke('readMailFeedback', bounced)).toEqual({ batchItemFailures: [] });
  expect((await fetch(confirmLink, { method: 'POST' })).status).toBe(400);
  await world.subscribeTo(topic, address, { protocol: 'email' });
  const [, another] = await mailsTo(world, address, 2);
  expect((await fetch(linkIn(another, 'confirm'), { method: 'POST' })).status).toBe(200);
});

test('a bounce pauses the subscription until a client subscribes again and confirms with a new link', async () => {
  const { topic, address, pending, confirmLink } = await confirmedReader(world);
  const { generation } = await stored(pending.uuid);
  const late = { generation, timestamp: new Date(Date.now() - 3_600_000).toISOString() };
  const ofAnother = { generation: randomUUID() };
  const before = [late, ofAnother].map((own) => aBounce('Permanent', pending.uuid, topic.uuid, own));
  expect(await stack.invoke('readMailFeedback', sqsEvent(...before))).toEqual({ batchItemFailures: [] });
  expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
  await tell(aBounce('Permanent', pending.uuid, topic.uuid, { generation }));
  await eventually(async () => {
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: false, pausedReason: 'bounce' });
  });
  const witness = await world.newSubscriber(topic);
  await world.attemptsAt(await world.publish(topic, 'x'), witness.subscription.uuid);
  expect(await mailsTo(world, address, 2)).toHaveLength(2);
  expect((await fetch(confirmLink, { method: 'POST' })).status).toBe(400);

  for (let times = 0; times < 2; times++) {
    const again = await world.subscribeTo(topic, address, { protocol: 'email' });
    expect(again).toEqual({ ...pending, active: false });
  }
  const confirmation = (await mailsTo(world, address, 3))[2];
  expect(confirmation?.subject).toMatch(/^Confirm/);
  expect((await fetch(linkIn(confirmation, 'confirm'), { method: 'POST' })).status).toBe(200);
  const resumed = await subscriptionRow(world, pending.uuid);
  expect(resumed).toMatchObject({ isActive: true });
  expect(resumed).not.toHaveProperty('pausedReason');
  await world.publish(topic, 'y');
  // The mailbox receives one confirmation for both requests, and then the event.
  const mails = await mailsTo(world, address, 4);
  expect(mails.map(({ subject }) => subject.startsWith('Confirm'))).toEqual([true, false, true, false]);
});

test('a complaint pauses the subscription, but harmless feedback changes nothing', async () => {
  const { topic, pending } = await confirmedReader(world);
  const { uuid } = pending;
  const before = await subscriptionRow(world, uuid);
  const { generation } = await stored(uuid);
  const harmless = [
    aBounce('Transient', uuid, topic.uuid, { generation }),
    aBounce('Undetermined', uuid, topic.uuid, { generation }),
    aComplaint('not-spam', uuid, topic.uuid, { generation }),
    aReject(uuid, topic.uuid),
    aBounce('Permanent'),
    aBounce('Permanent', 'not a uuid'),
    { ...aBounce('Permanent'), mail: { messageId: 'of somebody else', timestamp: '2026-11-20T12:00:00.000Z' } },
  ];
  expect(await stack.invoke('readMailFeedback', sqsEvent(...harmless))).toEqual({ batchItemFailures: [] });
  expect(await subscriptionRow(world, uuid)).toEqual(before);

  const complaint = sqsEvent(aComplaint('abuse', uuid, topic.uuid, { generation }));
  for (let times = 0; times < 2; times++) {
    expect(await stack.invoke('readMailFeedback', complaint)).toEqual({ batchItemFailures: [] });
    expect(await subscriptionRow(world, uuid)).toMatchObject({ isActive: false, pausedReason: 'complaint' });
  }
});

test('the log contains the ids in mail feedback, but no recipients and no headers', async () => {
  const { topic, pending } = await confirmedReader(world);
  await stack.invoke('readMailFeedback', sqsEvent(aBounce('Transient', pending.uuid, topic.uuid)));
  const lines = world.logLines().filter((line) => line.includes('mail feedback') && line.includes(pending.uuid));
  expect(lines).toHaveLength(1);
  for (const id of ['0100019a-7c1b', topic.uuid, 'Transient']) expect(lines[0]).toContain(id);
  expect(world.logLines().filter((line) => line.includes('clerk-4711'))).toEqual([]);
});
