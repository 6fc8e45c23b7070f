import { expect, test } from 'vitest';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { rejects } from '../../harness/fake-sender.ts';

const harness = useDeliveryHarness();
const hopMs = 900_000;

test('the function wait sends a task with a countdown of 45 minutes through several hops', async () => {
  harness.answer(rejects);
  const topic = await harness.newTopic();
  await harness.subscribed(topic, { countdownSeconds: 2700, maxRetries: 1 });
  await harness.publish(topic.name);
  await harness.work();
  let hops = 0;
  while (harness.posts.length < 2) {
    harness.pass(hopMs);
    if (await harness.workOnce('retry')) hops += 1;
    await harness.work();
  }
  expect(hops).toBeGreaterThanOrEqual(3);
  const [first, second] = harness.posts;
  expect(Number(second?.at)).toBeGreaterThanOrEqual(Number(first?.at) + 2_700_000);
});
