import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { leavesNoFaults } from '../harness/no-internal-errors.ts';
import { type Received, status } from '../harness/receiver.ts';
import { openOwnWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openOwnWorld();
const { newTopic, newSubscriber, publish, attemptsAt, aws, outputs } = world;
leavesNoFaults(world, { hasDeaths: true });

const idsOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers['message-id']);

/** What functions put into a queue from now on, as they put it. */
function watchQueue(queue: 'http' | 'retry'): { from: string; body: string }[] {
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

// Killing a function cuts off all that it does: what must not be cut off comes first.
const isDoneSending = Promise.withResolvers<void>();
const hasHopped = Promise.withResolvers<void>();

describe.concurrent('once', () => {
  test('a task that the queue hands out many times at once is delivered once', async () => {
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
    // The first three meet the original at work; the next three find the work done.
    await repeat();
    release.resolve();
    await attemptsAt(messageId, subscription.uuid);
    await repeat();
    isDoneSending.resolve();
    await eventually(async () => expect(await aws.depth('http')).toBe(0), 60_000);
    expect(idsOf(receiver.of('Notification'))).toEqual([messageId]);
  }, 90_000);

  test('a wait longer than a hop passes through several', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic, { policy: '6,1', answering: status(500) });
    const sent = watchQueue('retry');
    const messageId = await publish(topic, 'x');
    const attempts = await attemptsAt(messageId, subscription.uuid);
    hasHopped.resolve();
    expect(attempts.map(({ next }) => next)).toEqual(['retry', 'failed']);
    expect(Number(receiver.of('Notification')[1]?.at)).toBeGreaterThanOrEqual(Number(attempts[0]?.at) + 6000);
    const [first, ...hops] = sent.filter(({ body }) => body.includes(messageId)).map(({ from }) => from);
    expect(first).toBe('deliverByHttp');
    expect(hops.length).toBeGreaterThanOrEqual(2);
    expect(new Set(hops)).toEqual(new Set(['wait']));
  });

  test('a worker that dies between the POST and the record repeats it once, with the same message-id', async () => {
    const topic = await newTopic();
    const { receiver, subscription } = await newSubscriber(topic);
    receiver.answer(async () => {
      if (receiver.of('Notification').length === 1) await stack.kill('deliverByHttp');
      return { status: 200 };
    });
    await Promise.all([isDoneSending.promise, hasHopped.promise]);
    const messageId = await publish(topic, 'twice at most');
    const second = await receiver.arrival('Notification', 2, 60_000);
    expect(second.body.toString()).toBe('twice at most');
    expect(await attemptsAt(messageId, subscription.uuid)).toMatchObject([{ class: 'delivered', next: 'none' }]);
    await eventually(async () => expect(await aws.depth('http')).toBe(0), 60_000);
    expect(idsOf(receiver.of('Notification'))).toEqual([messageId, messageId]);
  }, 90_000);
});
