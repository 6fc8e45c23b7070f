import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { handler as wait } from '../../functions/deliveries/wait.ts';
import { waitingTask } from '../../shared/domain/deliveries/task.ts';
import { queues as queueStore } from '../../shared/storage/queues/store.ts';
import { aNotification, aSubscription, aTask } from '../harness/builders.ts';
import { sqsEvent } from '../harness/lambda-events.ts';
import type { LargeTopics } from './delivery-large-topics.ts';
import type { Comparison } from './report.ts';

const tasks = 200;
const hops = 4;
// A 900-second hop takes one second in the bench.
const hopSeconds = 900;

/** The number of SQS requests for four hops without batching: receive, send and delete for each hop. */
const unbatched = 3 * hops;

/** Speeds up the function's clock and the queue's delays, and returns a function that restores them. */
function hurry(): () => void {
  const { now } = Date;
  const begun = now();
  Date.now = () => begun + (now() - begun) * hopSeconds;
  const { middlewareStack } = queueStore.client() as SQSClient;
  middlewareStack.add(
    (next) => (request) => {
      const { Entries = [] } = request.input as { Entries?: { DelaySeconds?: number }[] };
      for (const entry of Entries) entry.DelaySeconds = Math.ceil((entry.DelaySeconds ?? 0) / hopSeconds);
      return next(request);
    },
    { step: 'initialize', name: 'hurry' },
  );
  return () => {
    Date.now = now;
    middlewareStack.remove('hurry');
  };
}

/**
 * Measures the SQS requests for each task that waits for four hops. Four hops take one hour in a deployment and four
 * seconds in the bench. Messages are received and deleted in batches of ten, the way Lambda does it for this worker.
 * Empty polls are not counted, because their number does not depend on the tasks.
 */
export async function compareWaiting(world: LargeTopics, eventSource: SQSClient): Promise<Comparison> {
  await world.emptyQueues();
  const QueueUrl = process.env.RETRY_QUEUE_URL;
  const end = hurry();
  const notBefore = Date.now() + hops * hopSeconds * 1000;
  const payloads = Array.from({ length: tasks }, () => {
    const task = aTask(aNotification(), [aSubscription()], { isSingle: true, attempt: 1 });
    return waitingTask.parse({ notBefore, task });
  });
  const sendings = payloads.map((payload) => ({ payload, group: crypto.randomUUID(), delaySeconds: hopSeconds }));
  await world.retry.sendMany(sendings);
  let requests = 0;
  let due = 0;
  while (due < tasks) {
    const { Messages = [] } = await eventSource.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    if (Messages.length === 0) continue;
    const before = world.calls.count;
    const isDue = Date.now() >= notBefore;
    const { batchItemFailures } = await wait(sqsEvent(...Messages.map(({ Body = '' }) => Body)));
    if (batchItemFailures.length > 0) throw new Error('a waiting task could not be queued again');
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await eventSource.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    requests += 2 + world.calls.count - before;
    if (isDue) due += Messages.length;
  }
  end();
  return {
    what: `a retry one hour later (${unbatched} without batching)`,
    unit: 'SQS requests',
    ours: [requests / tasks],
    target: { atMost: 1.3 },
  };
}
