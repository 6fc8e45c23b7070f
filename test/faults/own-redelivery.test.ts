/*
 * Promise: what an operator has made again does not end at one delivery that cannot be: the others are made, and each that
 * was not is counted and named in the log.
 */
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { toItem } from '../../shared/storage/dynamo.ts';
import { useDeliveryHarness } from '../harness/delivery-harness.ts';
import { accepts, refuses } from '../harness/fake-sender.ts';
import type { Call } from '../harness/interference.ts';

const harness = useDeliveryHarness();
const keyOf = ({ input }: Call) => JSON.stringify(input.Key ?? '');

/** A message that every one of these people has failed to get. */
async function failedFor(count: number) {
  const topic = await harness.newTopic();
  const people = await harness.subscribed(topic, ...Array.from({ length: count }, () => ({ maxRetries: 0 })));
  harness.answer(refuses);
  const messageId = await harness.publish(topic.name);
  await harness.work();
  harness.answer(accepts);
  return { messageId, uuids: people.map(({ uuid }) => uuid) };
}

it('makes the others where one row cannot be read and one cannot be written', async () => {
  const { messageId, uuids } = await failedFor(4);
  const [unreadable = '', unwritable = '', ...sound] = uuids;
  await harness.dynamodb.client.send(
    new UpdateItemCommand({
      TableName: harness.tables.deliveries,
      Key: toItem({ messageSlice: `${messageId}#0`, taskKey: `one#${unreadable}` }),
      UpdateExpression: 'SET protocol = :odd',
      ExpressionAttributeValues: toItem({ ':odd': 'pigeon' }),
    }),
  );
  harness.interfere({
    call: (call, go) =>
      call.command === 'UpdateItem' && keyOf(call).includes(unwritable) ? Promise.reject(new RangeError('no')) : go(),
  });
  expect(await redeliver({ messageId })).toEqual({ redelivered: 2, expired: 0, faults: 2 });
  harness.interfere({});
  expect(harness.lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', job: 'redeliver', error: 'unreadableRow', messageId, taskKey: `one#${unreadable}` },
    { message: 'failed', job: 'redeliver', error: 'RangeError', messageId, taskKey: `one#${unwritable}` },
  ]);
  await harness.work();
  expect(harness.accepted(messageId).toSorted()).toEqual(sound.toSorted());
});
