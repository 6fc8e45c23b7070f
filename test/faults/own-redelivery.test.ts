/*
 * Promise: what an operator has made again does not end at one delivery that cannot be: the others are made, and each that
 * was not is counted and named in the log.
 */
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { handler as redeliver } from '../../functions/deliveries/redeliver.ts';
import { toItem } from '../../shared/storage/dynamo.ts';
import { accepts, type Call, refuses, usePlant } from '../harness/delivery-harness.ts';

const plant = usePlant();
const keyOf = ({ input }: Call) => JSON.stringify(input.Key ?? '');

/** A message that every one of these people has failed to get. */
async function failedFor(count: number) {
  const topic = await plant.topic();
  const people = await plant.subscribed(topic, ...Array.from({ length: count }, () => ({ maxRetries: 0 })));
  plant.answer(refuses);
  const messageId = await plant.publish(topic.name);
  await plant.work();
  plant.answer(accepts);
  return { messageId, uuids: people.map(({ uuid }) => uuid) };
}

it('makes the others where one row cannot be read and one cannot be written', async () => {
  const { messageId, uuids } = await failedFor(4);
  const [unreadable = '', unwritable = '', ...sound] = uuids;
  await plant.client.send(
    new UpdateItemCommand({
      TableName: plant.tables.deliveries,
      Key: toItem({ messageId, taskKey: `one#${unreadable}` }),
      UpdateExpression: 'SET protocol = :odd',
      ExpressionAttributeValues: toItem({ ':odd': 'pigeon' }),
    }),
  );
  plant.interfere({
    call: (call, go) =>
      call.command === 'UpdateItem' && keyOf(call).includes(unwritable) ? Promise.reject(new RangeError('no')) : go(),
  });
  expect(await redeliver({ messageId })).toEqual({ redelivered: 2, expired: 0, faults: 2 });
  plant.interfere({});
  expect(plant.lines.error.map((line) => JSON.parse(line))).toMatchObject([
    { message: 'failed', job: 'redeliver', error: 'unreadableRow', messageId, taskKey: `one#${unreadable}` },
    { message: 'failed', job: 'redeliver', error: 'RangeError', messageId, taskKey: `one#${unwritable}` },
  ]);
  await plant.work();
  expect(plant.accepted(messageId).toSorted()).toEqual(sound.toSorted());
});
