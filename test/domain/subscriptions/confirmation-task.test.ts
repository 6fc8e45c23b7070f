import { expect, it } from 'vitest';
import { deliveryTask } from '../../../shared/domain/deliveries/task.ts';
import { confirmationTask } from '../../../shared/domain/subscriptions/confirmation-task.ts';
import { aRequest, aSubscription, aTopic, tokenOf } from '../../harness/builders.ts';

it('confirmationTask creates a single delivery that contains the token and is due for its first attempt', () => {
  const subscription = aSubscription(aTopic({ name: 'CR' }), { protocol: 'email', address: 'a@example.org' });
  const token = tokenOf(subscription.uuid);
  const task = confirmationTask(subscription, token, aRequest({ messageId: 'message-1' }));
  expect(deliveryTask.parse(task)).toEqual(task);
  expect(task).toMatchObject({
    protocol: 'email',
    isSingle: true,
    attempt: 0,
    subscriptionUuids: [subscription.uuid],
    content: { type: 'SubscriptionConfirmation', messageId: 'message-1', token, topicName: 'CR' },
  });
  expect(task.content.timestamp).toBe('2024-03-01T12:00:00.000Z');
});
