import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../clock/virtual-clock.ts';
import { memorySqs, queueArn, urlOf } from './sqs.ts';

const seconds = (count: number): number => count * 1000;

describe('the simulated SQS', () => {
  const clock = virtualClock(0);
  const queueOf = (given: Parameters<typeof memorySqs>[1], attributes = {}) =>
    memorySqs(clock, given).createQueue('queue', attributes);
  type Queue = ReturnType<typeof queueOf>;
  const received = (queue: Queue, max = 10, visibilityMs = seconds(60)) => {
    const messages = queue.receive(max, visibilityMs);
    if (messages === 'overLimit') throw new Error(messages);
    return messages;
  };
  const take = (queue: Queue) => received(queue, 10, 1000).map(({ body }) => body);
  const pass = (count: number) => clock.run({ until: clock.now() + seconds(count) });
  const counts = ({ ready, inFlight, delayed }: Queue) => [ready, inFlight, delayed];

  it('the simulated SQS hides a received message until the visibility timeout ends, and counts how many times the message was received', async () => {
    const queue = queueOf({});
    queue.send('a', '', 0);
    const [first] = received(queue).map((message) => ({ ...message }));
    await pass(59);
    expect(received(queue)).toEqual([]);
    await pass(2);
    const [second] = received(queue);
    expect([first?.receives, second?.receives]).toEqual([1, 2]);
    expect([second?.id, second?.sentAt]).toEqual([first?.id, first?.sentAt]);
    // A message can no longer be deleted with an older receipt.
    queue.delete(first?.receipt ?? '');
    expect(counts(queue)).toEqual([0, 1, 0]);
    queue.delete(second?.receipt ?? '');
    await pass(100);
    expect(received(queue)).toEqual([]);
  });

  it('the simulated SQS shows a delayed message after its delay, and counts ready, hidden and delayed messages', async () => {
    const queue = queueOf({});
    for (const body of ['a', 'b']) queue.send(body, '', 0);
    queue.send('later', '', seconds(900));
    received(queue, 1);
    expect(counts(queue)).toEqual([1, 1, 1]);
    await pass(899);
    expect(counts(queue)).toEqual([2, 0, 1]);
    await pass(1);
    expect(take(queue).toSorted()).toEqual(['a', 'b', 'later']);
    queue.purge();
    await pass(100);
    expect([take(queue), counts(queue)]).toEqual([[], [0, 0, 0]]);
  });

  it('the simulated SQS moves a message to the dead-letter queue after the message has been received too often', async () => {
    const sqs = memorySqs(clock);
    const deadLetters = sqs.createQueue('letters');
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn('letters'), maxReceiveCount: 3 });
    const queue = sqs.createQueue('queue', { RedrivePolicy });
    queue.send('poison', '', 0);
    for (let round = 0; round < 3; round++) {
      expect(take(queue)).toEqual(['poison']);
      await pass(2);
    }
    expect([take(queue), take(deadLetters)]).toEqual([[], ['poison']]);
  });

  it('the simulated SQS rejects invalid batches', async () => {
    const sqs = memorySqs(clock);
    const queue = sqs.createQueue('queue');
    const batch = (Entries: { Id: string; MessageBody: string }[]) =>
      sqs.send(new SendMessageBatchCommand({ QueueUrl: urlOf('queue'), Entries }));
    const entry = (Id: string, MessageBody = 'a') => ({ Id, MessageBody });
    await expect(batch([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
    await expect(batch([entry('1'), entry('1')])).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
    const eleven = Array.from({ length: 11 }, (_, place) => entry(String(place)));
    await expect(batch(eleven)).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
    const long = 'x'.repeat(600_000);
    await expect(batch([entry('1', long), entry('2', long)])).rejects.toMatchObject({ name: 'BatchRequestTooLong' });
    expect(queue.ready).toBe(0);
  });

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
    await pass(60);
    expect(take(queue)).toEqual(['a']);
    await pass(10);
    expect([take(queue), deadLetters.ready]).toEqual([[], 1]);
    await pass(31);
    expect(take(deadLetters)).toEqual([]);
  });

  it('the simulated SQS delivers and counts a message late if configured to do so', async () => {
    const queue = queueOf({ arrivesLateBy: (_, { body }) => (body === 'late' ? seconds(5) : 0) });
    for (const body of ['in time', 'late']) queue.send(body, '', 0);
    expect([take(queue), queue.ready + queue.delayed]).toEqual([['in time'], 0]);
    await pass(5);
    expect(take(queue)).toContain('late');
  });

  it('the simulated SQS duplicates, reorders and rejects messages if configured to do so', async () => {
    const queue = queueOf({
      showsAgainAfter: (_, { body }) => (body === 'twice' ? 500 : undefined),
      order: (_, messages) => messages.toReversed(),
      rejectsEntry: () => true,
    });
    for (const body of ['once', 'twice']) queue.send(body, '', 0);
    const messages = received(queue);
    expect(messages.map(({ body }) => body)).toEqual(['twice', 'once']);
    for (const { receipt } of messages) queue.delete(receipt);
    await pass(1);
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
    expect([queue.receive(10, 1000), queue.inFlight]).toEqual(['overLimit', 120_000]);
  });
});
