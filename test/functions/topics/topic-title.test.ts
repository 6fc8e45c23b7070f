import { expect, it } from 'vitest';
import { handler as showConfirmation } from '../../../functions/pages/show-confirmation.ts';
import { handler as subscribe } from '../../../functions/subscriptions/subscribe.ts';
import { handler as createTopic } from '../../../functions/topics/create-topic.ts';
import type { DeliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { useDeliveryHarness } from '../../harness/delivery-harness.ts';
import { apiEvent, context } from '../../harness/lambda-events.ts';

const harness = useDeliveryHarness();

const create = (more: Record<string, string>) =>
  harness.call(createTopic, { query: new URLSearchParams({ name: 'CR', ...more }).toString() });

it('createTopic returns the title of a topic, and replaces the title if it is called with another title', async () => {
  const { json: topic } = await create({});
  expect(topic).toEqual({ uuid: topic.uuid, name: 'CR' });
  expect((await create({ title: 'Births' })).json).toEqual({ ...topic, title: 'Births' });
  expect((await create({})).json).toEqual({ ...topic, title: 'Births' });
  expect((await create({ title: 'Deaths' })).json).toEqual({ ...topic, title: 'Deaths' });
  expect((await create({ title: 'www.evil.example' })).json).toMatchObject({
    code: 1002,
    message: expect.stringMatching(/^title .*must not contain a URL or www\./),
  });
});

it('confirmation requests, pages and events contain the title of the topic, but clients still see its name', async () => {
  await create({ title: 'Civil registration' });
  const query = new URLSearchParams({ topic: 'CR', protocol: 'email', address: 'ann@example.org' }).toString();
  const { json } = await harness.call(subscribe, { query });
  expect(json).toMatchObject({ topic: 'CR' });
  const [task] = harness.payloadsIn<DeliveryTask>('email');
  expect(task?.content).toMatchObject({ topicName: 'CR', topicTitle: 'Civil registration' });
  const token = task?.content.type === 'SubscriptionConfirmation' ? task.content.token : '';
  const { body } = await showConfirmation(apiEvent({ query: `token=${token}` }), context);
  expect(body).toContain('<bdi>Civil registration</bdi>');
  const messageId = await harness.publish('CR');
  const [published] = (await harness.rows('deliveries')).filter(({ topicName }) => topicName === 'CR');
  expect(published).toMatchObject({ messageId, topicName: 'CR', topicTitle: 'Civil registration' });
});
