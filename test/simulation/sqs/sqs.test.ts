import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from 'vitest';
import { sqsBackends } from '../../harness/backends.ts';
import { useClock } from '../../harness/clock.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { memorySqs, queueArn, urlOf } from './sqs.ts';

const seconds = (count: number): number => count * 1000;

describe.each(sqsBackends)('the %s SQS', (_name, useBackend) => {
  const sqs = useBackend();
  const clock = useClock();
  let url: string;
  let deadLetters: string;
  beforeEach(() => {
    deadLetters = sqs.createQueue();
    const RedrivePolicy = JSON.stringify({
      deadLetterTargetArn: queueArn(deadLetters.split('/').at(-1) ?? ''),
      maxReceiveCount: 3,
    });
    url = sqs.createQueue({ VisibilityTimeout: '60', RedrivePolicy });
  });

  const send = (MessageBody: string, DelaySeconds = 0) =>
    sqs.client.send(new SendMessageCommand({ QueueUrl: url, MessageBody, DelaySeconds }));
  const receive = async (from = url, given = {}) => {
    const request = {
      QueueUrl: from,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All' as const],
      ...given,
    };
    return (await sqs.client.send(new ReceiveMessageCommand(request))).Messages ?? [];
  };
  const bodies = async (from = url) => (await receive(from)).map(({ Body }) => Body).toSorted();
  const remove = (ReceiptHandle: string | undefined) =>
    sqs.client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
  const counts = async () => {
    const { Attributes } = await sqs.client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
    );
    const counted = Attributes as Record<string, string> | undefined;
    return ['', 'NotVisible', 'Delayed'].map((kind) => Number(counted?.[`ApproximateNumberOfMessages${kind}`]));
  };

  it('a queue hides a received message until the visibility timeout ends, and counts how often the message was received', async () => {
    await send('a');
    const [first] = await receive();
    expect([first?.Body, first?.Attributes?.ApproximateReceiveCount]).toEqual(['a', '1']);
    clock.pass(seconds(59));
    expect(await receive()).toEqual([]);
    clock.pass(seconds(2));
    const [second] = await receive();
    expect([second?.MessageId, second?.Attributes?.ApproximateReceiveCount]).toEqual([first?.MessageId, '2']);
    expect(second?.Attributes?.SentTimestamp).toBe(first?.Attributes?.SentTimestamp);
  });

  it('a queue deletes a message by its newest receipt', async () => {
    await send('a');
    const [first] = await receive();
    await remove(first?.ReceiptHandle);
    clock.pass(seconds(100));
    expect(await receive()).toEqual([]);
  });

  it('a delayed message becomes visible in the queue after its delay', async () => {
    await send('soon', 5);
    await send('late', 900);
    expect(await bodies()).toEqual([]);
    clock.pass(seconds(6));
    expect(await bodies()).toEqual(['soon']);
    clock.pass(seconds(895));
    expect(await bodies()).toEqual(['late', 'soon']);
  });

  it('a queue returns at most ten messages per request', async () => {
    for (let place = 0; place < 12; place++) await send(String(place));
    const sizes = [(await receive()).length, (await receive()).length];
    expect(sizes).toEqual([10, 2]);
  });

  it('a queue moves a message to the dead-letter queue after the message has been received too often', async () => {
    await send('poison');
    for (let round = 0; round < 3; round++) {
      expect(await bodies()).toEqual(['poison']);
      clock.pass(seconds(61));
    }
    expect(await bodies()).toEqual([]);
    expect(await bodies(deadLetters)).toEqual(['poison']);
  });

  it('a queue changes the visibility timeout of a message', async () => {
    await send('a');
    const [message] = await receive();
    const change = { QueueUrl: url, ReceiptHandle: message?.ReceiptHandle };
    await sqs.client.send(new ChangeMessageVisibilityCommand({ ...change, VisibilityTimeout: 600 }));
    clock.pass(seconds(100));
    expect(await bodies()).toEqual([]);
    await sqs.client.send(new ChangeMessageVisibilityCommand({ ...change, VisibilityTimeout: 0 }));
    clock.pass(1);
    expect(await bodies()).toEqual(['a']);
  });

  it('a queue reports how many messages are ready, in flight and delayed', async () => {
    for (const body of ['a', 'b', 'c']) await send(body);
    await send('later', 60);
    const [message] = await receive(url, { MaxNumberOfMessages: 1 });
    expect(await counts()).toEqual([2, 1, 1]);
    await remove(message?.ReceiptHandle);
    expect(await counts()).toEqual([2, 0, 1]);
    clock.pass(seconds(61));
    expect((await receive()).length).toBe(3);
    expect(await counts()).toEqual([0, 3, 0]);
  });

  it('a queue removes all messages when it is purged', async () => {
    for (const body of ['a', 'b']) await send(body);
    await send('later', 60);
    await receive(url, { MaxNumberOfMessages: 1 });
    await sqs.client.send(new PurgeQueueCommand({ QueueUrl: url }));
    clock.pass(seconds(100));
    expect(await bodies()).toEqual([]);
  });

  it('rejects invalid batches', async () => {
    const batch = (Entries: { Id: string; MessageBody: string }[]) =>
      sqs.client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    const entry = (Id: string, MessageBody = 'a') => ({ Id, MessageBody });
    await expect(batch([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
    await expect(batch([entry('1'), entry('1')])).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
    const eleven = Array.from({ length: 11 }, (_, place) => entry(String(place)));
    await expect(batch(eleven)).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
    const long = 'x'.repeat(600_000);
    await expect(batch([entry('1', long), entry('2', long)])).rejects.toMatchObject({ name: 'BatchRequestTooLong' });
    expect(await bodies()).toEqual([]);
  });

  it('a queue deletes several messages by their receipts', async () => {
    for (const body of ['a', 'b', 'c']) await send(body);
    const [first, second] = await receive();
    const Entries = [first, second].map((message, index) => ({
      Id: String(index),
      ReceiptHandle: message?.ReceiptHandle,
    }));
    const { Successful } = await sqs.client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    expect(Successful?.map(({ Id }) => Id)).toEqual(['0', '1']);
    clock.pass(seconds(61));
    expect((await bodies()).length).toBe(1);
  });
});

describe('the simulated SQS', () => {
  const clock = virtualClock(0);
  const queueOf = (given: Parameters<typeof memorySqs>[1], attributes = {}) =>
    memorySqs(clock, given).createQueue('queue', attributes);
  const take = (queue: ReturnType<typeof queueOf>, max = 10) => {
    const received = queue.receive(max, 1000);
    return received === 'overLimit' ? received : received.map(({ body }) => body);
  };

  it('the simulated SQS returns messages from each message group in turn', () => {
    const queue = queueOf({});
    for (const body of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) queue.send(body, body.slice(0, 1), 0);
    expect(take(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it("the simulated SQS counts a message's age from the first sending, even in the dead-letter queue", async () => {
    const sqs = memorySqs(clock);
    const deadLetters = sqs.createQueue('letters', { MessageRetentionPeriod: '100' });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn('letters'), maxReceiveCount: 1 });
    const queue = sqs.createQueue('queue', { RedrivePolicy, MessageRetentionPeriod: '100' });
    queue.send('a', '', 0);
    await clock.run({ until: clock.now() + seconds(60) });
    expect(take(queue)).toEqual(['a']);
    await clock.run({ until: clock.now() + seconds(10) });
    expect([take(queue), deadLetters.ready]).toEqual([[], 1]);
    await clock.run({ until: clock.now() + seconds(31) });
    expect(take(deadLetters)).toEqual([]);
  });

  it('the simulated SQS delivers a message late, and does not count it, if the test configures it to do so', async () => {
    const queue = queueOf({ arrivesLateBy: (_, { body }) => (body === 'late' ? seconds(5) : 0) });
    for (const body of ['in time', 'late']) queue.send(body, '', 0);
    expect([take(queue), queue.ready + queue.delayed]).toEqual([['in time'], 0]);
    await clock.run({ until: clock.now() + seconds(5) });
    expect(take(queue)).toContain('late');
  });

  it('the simulated SQS duplicates, reorders and rejects messages if the test configures it to do so', async () => {
    const queue = queueOf({
      showsAgainAfter: (_, { body }) => (body === 'twice' ? 500 : undefined),
      order: (_, messages) => messages.toReversed(),
      rejectsEntry: () => true,
    });
    for (const body of ['once', 'twice']) queue.send(body, '', 0);
    const received = queue.receive(10, seconds(60));
    if (received === 'overLimit') throw new Error(received);
    expect(received.map(({ body }) => body)).toEqual(['twice', 'once']);
    for (const { receipt } of received) queue.delete(receipt);
    await clock.run({ until: clock.now() + seconds(1) });
    expect(take(queue)).toEqual(['twice']);
    const sqs = memorySqs(clock, { rejectsEntry: () => true });
    sqs.createQueue('queue');
    const entry = { QueueUrl: urlOf('queue'), Entries: [{ Id: '1', MessageBody: 'a' }] };
    expect(await sqs.send(new SendMessageBatchCommand(entry))).toMatchObject({ Failed: [{ Id: '1' }] });
  });

  it('the simulated SQS rejects a delay of more than 900 seconds', async () => {
    const sqs = memorySqs(clock);
    sqs.createQueue('queue');
    const late = new SendMessageCommand({ QueueUrl: urlOf('queue'), MessageBody: 'a', DelaySeconds: 901 });
    await expect(sqs.send(late)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  it('the simulated SQS returns no messages while 120,000 messages are in flight', () => {
    const queue = queueOf({});
    for (let place = 0; place < 120_001; place++) queue.send('a', '', 0);
    for (let round = 0; round < 12_000; round++) queue.receive(10, seconds(60));
    expect([take(queue), queue.inFlight]).toEqual(['overLimit', 120_000]);
  });
});
