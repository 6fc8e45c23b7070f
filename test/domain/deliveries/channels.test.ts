import { expect, it } from 'vitest';
import {
  channelOfQueue,
  channelQueues,
  type Lane,
  laneOf,
  queuesOf,
} from '../../../shared/domain/deliveries/channels.ts';
import type { Protocol } from '../../../shared/model/subscriptions/subscription.ts';

it.each<[Protocol, Lane, string]>([
  ['http', 'first', 'http'],
  ['http', 'later', 'slow'],
  ['http', 'confirmations', 'http'],
  ['email', 'first', 'email'],
  ['email', 'later', 'email'],
  ['email', 'confirmations', 'email'],
])('%s, %s: by the queue %s', (protocol, lane, queue) => {
  expect(laneOf(protocol, lane)).toBe(queue);
  expect(queuesOf(lane)).toContain(queue);
});

it('every queue of a channel is known by its channel, and says what it carries', () => {
  for (const [queue, meaning] of Object.entries(channelQueues)) {
    expect(channelOfQueue(queue)?.queues[queue]).toBe(meaning);
    expect(meaning).toMatch(/\w/);
  }
  expect(channelOfQueue('fanOut')).toBeUndefined();
});
