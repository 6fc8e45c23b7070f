/*
 * Promise: the same holds in the stack as it runs: with every payload that a function sends there twice, and every fifth
 * write to DynamoDB throttled or its answer lost, each message still reaches each subscription once.
 */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { openOwnWorld } from '../harness/separate-stack.ts';

const { stack, world } = await openOwnWorld();
const { newTopic, newSubscriber, publish, aws, outputs } = world;
const queues = ['fanOut', 'http', 'retry'] as const;

/** From now on what functions put into a queue is put there a second time. */
function doubleJobs(): { count: number } {
  const doubled = { count: 0 };
  // Once each, also where the copy is what is put there again: doubled at every hop they would become thousands.
  const seen = new Set<string>();
  stack.onAwsCall(async ({ service, action, body }) => {
    if (service !== 'sqs' || !action.startsWith('sqs:SendMessage')) return;
    interface Sent {
      readonly MessageBody: string;
      readonly DelaySeconds?: number;
    }
    const { QueueUrl, Entries, ...one } = JSON.parse(body) as Sent & { QueueUrl: string; Entries?: Sent[] };
    if (!queues.some((name) => outputs.resources.queues[name] === QueueUrl)) return;
    for (const { MessageBody, DelaySeconds } of Entries ?? [one]) {
      const { notBefore: _, ...payload } = JSON.parse(MessageBody) as { notBefore?: number };
      const what = `${QueueUrl} ${JSON.stringify(payload)}`;
      if (seen.has(what)) continue;
      seen.add(what);
      doubled.count += 1;
      // A copy that meets its twin at work comes back only after the visibility timeout: these come a little later.
      const later = { DelaySeconds: (DelaySeconds ?? 0) + 2 };
      await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...later }));
    }
  });
  return doubled;
}

/** From now on every fifth write of a function to DynamoDB is refused, once each, for the SDK to try again. */
function throttleWrites(): { count: number } {
  const throttled = { count: 0 };
  const refused = new Set<string>();
  let writes = 0;
  const type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  stack.onAwsCall(({ service, action, body }) => {
    if (service !== 'dynamodb' || !/(?:Update|Put)Item$|Transact/.test(action)) return;
    writes += 1;
    if (writes % 5 !== 0 || refused.has(body)) return;
    refused.add(body);
    throttled.count += 1;
    return { status: 400, body: JSON.stringify({ __type: type, message: 'slow down' }) };
  });
  return throttled;
}

test('jobs that are there twice and writes that are throttled: each message reaches each subscription once', async () => {
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
  const [doubled, throttled] = [doubleJobs(), throttleWrites()];
  const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => publish(topic, `event ${index}`)));
  await eventually(async () => {
    const [first = 0, second = 0, third = 0] = people.map(({ receiver }) => receiver.of('Notification').length);
    const [all, twice] = [ids.length, 2 * ids.length];
    expect([first >= all, second >= all, third >= twice]).toEqual([true, true, true]);
    for (const name of queues) expect([name, await aws.depth(name)]).toEqual([name, 0]);
    // Where the machine is so busy that a copy meets its twin all the same, it comes back after the visibility timeout.
  }, 90_000);
  const received = people.map(({ receiver }) =>
    receiver.of('Notification').map(({ headers }) => headers['message-id']),
  );
  expect(received[0]?.toSorted()).toEqual(ids.toSorted());
  expect(received[1]?.toSorted()).toEqual(ids.toSorted());
  // The third failed once for each, and was retried once for each.
  expect(received[2]?.toSorted()).toEqual([...ids, ...ids].toSorted());
  expect([doubled.count >= 2 * ids.length, throttled.count > 0]).toEqual([true, true]);
  console.info(
    `stack: ${doubled.count} payloads doubled, ${throttled.count} writes throttled, nothing lost, nothing repeated`,
  );
}, 120_000);
