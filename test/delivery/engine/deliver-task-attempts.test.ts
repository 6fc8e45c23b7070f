import { expect, it } from 'vitest';
import { ownTask } from '../../../shared/domain/deliveries/own-task.ts';
import { useEngine } from '../../harness/task-harness.ts';
import { aNotification, aTask } from '../../support/builders.ts';
import { status } from '../../support/receiver.ts';

const world = useEngine();
const { topic, subscribed, deliver, deliverAgain, waiting } = world;

it('tells of every attempt once, the successful ones too, and of none where nothing was tried', async () => {
  const [person, failing] = [await subscribed(), await subscribed({ isFailing: true })];
  const content = aNotification(topic);
  const task = aTask(content, [person, failing]);
  const ids = { messageId: content.messageId };
  await deliver(task);
  await deliverAgain(task);
  expect(world.attempts).toEqual([{ ...ids, uuid: person.uuid, attempt: 0, class: 'delivered' }]);

  world.receiver.answer(status(503));
  await deliver(ownTask(task, failing.uuid, 0));
  const [next] = waiting();
  await deliver(next?.payload.task ?? task);
  expect(world.attempts.slice(1)).toEqual([
    { ...ids, uuid: failing.uuid, attempt: 0, class: 'http' },
    { ...ids, uuid: failing.uuid, attempt: 1, class: 'http' },
  ]);
});
