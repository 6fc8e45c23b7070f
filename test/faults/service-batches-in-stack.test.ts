/*
 * Promise: each message reaches each subscription once in the running stack, even if functions send every payload twice
 * and DynamoDB throttles every fifth write once.
 */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openSeparateWorld();
const { newTopic, newSubscriber, publish, aws, outputs } = world;
const queues = ['fanOut', 'http', 'retry'] as const;

/** From now on, sends a second copy of each payload that a function sends to a queue. Counts the copies. */
function duplicatePayloads(): { count: number } {
  const duplicated = { count: 0 };
  // Copies are not copied again, because doubling at every hop would create thousands of payloads.
  const seen = new Set<string>();
  stack.onAwsCall(async ({ service, action, body }) => {
    if (service !== 'sqs' || !action.startsWith('sqs:SendMessage')) return;
    interface SentMessage {
      readonly MessageBody: string;
      readonly DelaySeconds?: number;
    }
    const { QueueUrl, Entries, ...one } = JSON.parse(body) as SentMessage & {
      QueueUrl: string;
      Entries?: SentMessage[];
    };
    if (!queues.some((name) => outputs.resources.queues[name] === QueueUrl)) return;
    for (const { MessageBody, DelaySeconds } of Entries ?? [one]) {
      const { notBefore: _, ...payload } = JSON.parse(MessageBody) as { notBefore?: number };
      const copied = `${QueueUrl} ${JSON.stringify(payload)}`;
      if (seen.has(copied)) continue;
      seen.add(copied);
      duplicated.count += 1;
      // If a copy arrived while its original was in progress, the copy would stay invisible for the visibility timeout.
      // The delay avoids this.
      const later = { DelaySeconds: (DelaySeconds ?? 0) + 2 };
      await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...later }));
    }
  });
  return duplicated;
}

/** From now on, rejects every fifth write to DynamoDB once. The SDK retries the write. */
function throttleWrites(): { count: number } {
  const throttled = { count: 0 };
  const rejected = new Set<string>();
  let writes = 0;
  const type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  stack.onAwsCall(({ service, action, body }) => {
    if (service !== 'dynamodb' || !/(?:Update|Put)Item$|Transact/.test(action)) return;
    writes += 1;
    if (writes % 5 !== 0 || rejected.has(body)) return;
    rejected.add(body);
    throttled.count += 1;
    return { status: 400, body: JSON.stringify({ __type: type, message: 'slow down' }) };
  });
  return throttled;
}

test('each message reaches each subscription once while payloads are duplicated and writes are throttled', async () => {
  const topic = await newTopic();
  const failsOnce = new Set<string>();
  const people = await Promise.all([
    newSubscriber(topic),
    newSubscriber(topic),
    newSubscriber(topic, {
      policy: '1,5',
      answering: ({ headers }) => {
        const id = String(headers['message-id']);
        if (failsOnce.has(id)) return { status: 200 };
        failsOnce.add(id);
        return { status: 503 };
      },
    }),
  ]);
  const [duplicated, throttled] = [duplicatePayloads(), throttleWrites()];
  const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => publish(topic, `event ${index}`)));
  await eventually(async () => {
    const [first = 0, second = 0, third = 0] = people.map(({ receiver }) => receiver.of('Notification').length);
    const [all, twice] = [ids.length, 2 * ids.length];
    expect([first >= all, second >= all, third >= twice]).toEqual([true, true, true]);
    for (const name of queues) expect([name, await aws.depth(name)]).toEqual([name, 0]);
    // On a busy machine, a copy may still arrive while its original is in progress and then wait for the visibility
    // timeout.
  });
  const received = people.map(({ receiver }) =>
    receiver.of('Notification').map(({ headers }) => headers['message-id']),
  );
  expect(received[0]?.toSorted()).toEqual(ids.toSorted());
  expect(received[1]?.toSorted()).toEqual(ids.toSorted());
  // The third subscription fails once per message and therefore gets one retry.
  expect(received[2]?.toSorted()).toEqual([...ids, ...ids].toSorted());
  expect([duplicated.count >= 2 * ids.length, throttled.count > 0]).toEqual([true, true]);
  console.info(
    `stack: ${duplicated.count} payloads duplicated, ${throttled.count} writes throttled, nothing lost, nothing repeated`,
  );
});
