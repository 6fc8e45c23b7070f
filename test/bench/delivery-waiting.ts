import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { handler as wait } from '../../functions/deliveries/wait.ts';
import { waitingTask } from '../../shared/model/deliveries/task.ts';
import { aNotification, aSubscription, aTask } from '../harness/builders.ts';
import { sqsEvent } from '../harness/lambda-events.ts';
import type { LargeTopics } from './delivery-large-topics.ts';
import type { Comparison } from './report.ts';

const tasks = 200;
const hops = 4;

/** What four hops of a task would take by itself: each is received, sent on and deleted. */
const unbatched = 3 * hops;

/**
 * SQS requests of a task that waits as long as four hops take: an hour by the hops of a deployment, four seconds by those of
 * the bench. Receiving and deleting is Lambda's, ten at a time as the worker declares it; polls that find nothing are not
 * counted, for they are the same for all.
 */
export async function compareWaiting(world: LargeTopics, eventSource: SQSClient): Promise<Comparison> {
  await world.emptyQueues();
  const QueueUrl = process.env.RETRY_QUEUE_URL;
  const notBefore = Date.now() + hops * 1000;
  const payloads = Array.from({ length: tasks }, () => {
    const task = aTask(aNotification(), [aSubscription()], { isSingle: true, attempt: 1 });
    return waitingTask.parse({ notBefore, task });
  });
  const sendings = payloads.map((payload) => ({ payload, group: crypto.randomUUID(), delaySeconds: 1 }));
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
    if (batchItemFailures.length > 0) throw new Error('a waiting task could not be sent on');
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await eventSource.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    requests += 2 + world.calls.count - before;
    if (isDue) due += Messages.length;
  }
  return {
    what: `a retry an hour later (${unbatched} where each task hops alone)`,
    unit: 'SQS requests',
    ours: [requests / tasks],
    target: { atMost: 1.3 },
  };
}
