import { expect, it } from 'vitest';
import {
  channelOfQueue,
  channelQueues,
  type Lane,
  laneOf,
  laneOfTask,
  queuesOf,
} from '../../../shared/domain/deliveries/channels.ts';
import type { Protocol } from '../../../shared/domain/subscriptions/subscription.ts';
import { aConfirmation, aNotification, aSubscription, aTopic } from '../../harness/builders.ts';

it.each<[Protocol, Lane, string]>([
  ['http', 'first', 'http'],
  ['http', 'later', 'slow'],
  ['http', 'confirmations', 'httpConfirmations'],
  ['email', 'first', 'email'],
  ['email', 'later', 'email'],
  ['email', 'confirmations', 'emailConfirmations'],
])('laneOf(%j, %j) returns the queue %s', (protocol, lane, queue) => {
  expect(laneOf(protocol, lane)).toBe(queue);
  expect(queuesOf(lane)).toContain(queue);
});

it.each(['http', 'email'] as const)(
  'a retry of a confirmation request by %s stays in the confirmations lane',
  (protocol) => {
    const subscription = aSubscription(aTopic({ name: 'CR' }), { protocol });
    const content = aConfirmation(subscription);
    expect(laneOfTask({ protocol, content, isSingle: true, shardBits: 0 })).toBe(laneOf(protocol, 'confirmations'));
  },
);

it('channelOfQueue returns the channel to which the given delivery queue belongs', () => {
  for (const [queue, meaning] of Object.entries(channelQueues)) {
    expect(channelOfQueue(queue)?.queues[queue]).toBe(meaning);
    expect(meaning).toMatch(/\w/);
  }
  expect(channelOfQueue('fanOut')).toBeUndefined();
});

const content = aNotification();
it('a postponed batch returns to its lane, and a postponed single delivery moves to the `later` lane', () => {
  expect(laneOfTask({ protocol: 'http', content, isSingle: false, shardBits: 8 })).toBe('http');
  expect(laneOfTask({ protocol: 'http', content, isSingle: false, shardBits: 9 })).toBe('mass');
  expect(laneOfTask({ protocol: 'http', content, isSingle: true, shardBits: 17 })).toBe('slow');
  expect(laneOfTask({ protocol: 'email', content, isSingle: false, shardBits: 17 })).toBe('email');
});
