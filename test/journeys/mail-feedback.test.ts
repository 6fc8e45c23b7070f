import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { storedSubscription } from '../../shared/domain/subscriptions/subscription.ts';
import { eventually } from '../harness/eventually.ts';
import { sqsEvent } from '../harness/lambda-events.ts';
import { aBounce } from '../harness/mail-feedback.ts';
import { confirmedReader, linkIn, mailsTo, subscriptionRow } from '../harness/mail-reader.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const { aws, outputs } = world;
leavesNoErrors(world);

/** Sends an SES feedback event to the queue that receives feedback through SNS. */
const tell = (event: unknown) =>
  aws.sqs.send(
    new SendMessageCommand({ QueueUrl: outputs.resources.queues.mailFeedback, MessageBody: JSON.stringify(event) }),
  );

const stored = async (uuid: string) => storedSubscription.parse(await subscriptionRow(world, uuid));

test('a bounce pauses the subscription until a client subscribes again and the subscription is confirmed with a new link', async () => {
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
  // Together, the two subscribe requests cause only one confirmation request. The event follows it.
  const mails = await mailsTo(world, address, 4);
  expect(mails.map(({ subject }) => subject.startsWith('Confirm'))).toEqual([true, false, true, false]);
});
