import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import type { Received } from '../harness/receiver.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const { newTopic, newSubscriber, publish, attemptsAt, aws, outputs } = world;
leavesNoErrors(world, { hasDeaths: true });

const taskIdOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers['message-id']);

/** Starts recording the messages that functions send to a queue. */
function watchQueue(queue: 'http'): { from: string; body: string }[] {
  const url = outputs.resources.queues[queue];
  const sent: { from: string; body: string }[] = [];
  stack.onAwsCall(({ service, action, functionName, body }) => {
    if (service !== 'sqs' || !action.startsWith('sqs:SendMessage')) return;
    const call = JSON.parse(body) as { QueueUrl: string; MessageBody?: string; Entries?: { MessageBody: string }[] };
    if (call.QueueUrl !== url) return;
    const bodies = call.Entries?.map(({ MessageBody }) => MessageBody) ?? [call.MessageBody ?? ''];
    sent.push(...bodies.map((text) => ({ from: functionName, body: text })));
  });
  return sent;
}

// Killing a function stops all its work, so this test first waits until the other test's messages have been sent.
const isDoneSending = Promise.withResolvers<void>();

describe.concurrent('repeated work:', () => {
  test('a task is delivered once even if the queue returns it many times', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    const sent = watchQueue('http');
    const release = Promise.withResolvers<void>();
    receiver.answer(() => release.promise.then(() => ({ status: 200 })));
    const messageId = await publish(topic, 'once');
    await receiver.arrival('Notification');
    const task = sent.find(({ body }) => body.includes(messageId));
    const copy = { QueueUrl: outputs.resources.queues.http, MessageBody: task?.body };
    const repeat = () => Promise.all([1, 2, 3].map(() => aws.sqs.send(new SendMessageCommand(copy))));
    // The first three copies arrive while the original is in progress, and the last three arrive after it is done.
    await repeat();
    release.resolve();
    await attemptsAt(messageId, subscription.uuid);
    await repeat();
    isDoneSending.resolve();
    await eventually(async () => expect(await aws.depth('http')).toBe(0));
    expect(taskIdOf(receiver.of('Notification'))).toEqual([messageId]);
  });

  test('if a worker dies after a POST request, the request is repeated once with the same message-id', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    receiver.answer(async () => {
      if (receiver.of('Notification').length === 1) await stack.kill('deliverByHttp');
      return { status: 200 };
    });
    await isDoneSending.promise;
    const messageId = await publish(topic, 'twice at most');
    const second = await receiver.arrival('Notification', 2);
    expect(second.body.toString()).toBe('twice at most');
    expect(await attemptsAt(messageId, subscription.uuid)).toMatchObject([{ class: 'delivered', next: 'none' }]);
    await eventually(async () => expect(await aws.depth('http')).toBe(0));
    expect(taskIdOf(receiver.of('Notification'))).toEqual([messageId, messageId]);
  });
});
