import { expect, it } from 'vitest';
import { singleTask } from '../../shared/domain/deliveries/task.ts';
import { aNotification, aTask } from '../harness/builders.ts';
import { status } from '../harness/receiver.ts';
import { useTaskHarness } from '../harness/task-harness.ts';

const harness = useTaskHarness();
const { topic, subscriber, deliver, waiting } = harness;

it('a task reports each attempt once, and reports nothing if it makes no attempt', async () => {
  const [person, failing] = [await subscriber(), await subscriber({ isFailing: true })];
  const content = aNotification(topic);
  const task = aTask(content, [person, failing]);
  const ids = { messageId: content.messageId };
  await deliver(task);
  await deliver(task);
  expect(harness.attempts).toEqual([{ ...ids, uuid: person.uuid, attempt: 0, class: 'delivered' }]);

  harness.receiver.answer(status(503));
  await deliver(singleTask(task, failing.uuid, 0));
  const [next] = waiting();
  await deliver(next?.payload.task ?? task);
  expect(harness.attempts.slice(1)).toEqual([
    { ...ids, uuid: failing.uuid, attempt: 0, class: 'http' },
    { ...ids, uuid: failing.uuid, attempt: 1, class: 'http' },
  ]);
});
