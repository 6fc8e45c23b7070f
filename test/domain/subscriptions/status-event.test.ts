import { describe, expect, it } from 'vitest';
import {
  decideStatus,
  statusCheckAt,
  statusEvent,
  statusTopicOf,
} from '../../../shared/domain/subscriptions/status-event.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hourMs, minuteMs } from '../../../shared/domain/time.ts';
import { statusTopicName } from '../../../shared/domain/topics/topic.ts';
import { aSubscription, aTopic, noon } from '../../harness/builders.ts';

const subscription = (given: Partial<StoredSubscription> = {}) => aSubscription(aTopic({ name: 'CR' }), given);
const told = (state: 'failing' | 'paused' | 'recovered', since: number, at: number) => ({ state, since, at });
const lastFailure = { class: 'tls', code: 'CERT_HAS_EXPIRED', at: noon };

describe('decideStatus', () => {
  it.each<[string, Partial<StoredSubscription>, number, ReturnType<typeof decideStatus>]>([
    ['decideStatus returns no event if the receiver is healthy', {}, 0, {}],
    ['decideStatus returns no event before the first confirmation', { isActive: false }, 0, {}],
    [
      'decideStatus schedules another check until the receiver has been failing for an hour',
      { failingSince: noon },
      59,
      { waitUntil: noon + hourMs },
    ],
    [
      'decideStatus returns an event after an hour of failures',
      { failingSince: noon },
      60,
      { notice: told('failing', noon, noon + hourMs) },
    ],
    [
      'decideStatus returns an event after the subscription has been paused',
      { isActive: false, pausedReason: 'gone', lastFailure },
      1,
      { notice: told('paused', noon, noon + minuteMs) },
    ],
    [
      'decideStatus returns the same event if it is already recorded',
      { failingSince: noon, notified: told('failing', noon, noon + hourMs) },
      65,
      { notice: told('failing', noon, noon + hourMs) },
    ],
    [
      'decideStatus schedules another check if an event was published within the last hour',
      { lastDeliveredAt: noon + 70 * minuteMs, notified: told('failing', noon, noon + hourMs) },
      71,
      { waitUntil: noon + 2 * hourMs },
    ],
    [
      'decideStatus returns an event when the receiver recovers',
      { lastDeliveredAt: noon + 70 * minuteMs, notified: told('failing', noon, noon + hourMs) },
      120,
      { notice: told('recovered', noon + 70 * minuteMs, noon + 2 * hourMs) },
    ],
    [
      'decideStatus returns the same recovery event if it is already recorded',
      { lastDeliveredAt: noon, notified: told('recovered', noon, noon + hourMs) },
      60,
      { notice: told('recovered', noon, noon + hourMs) },
    ],
    [
      'decideStatus returns no event for further deliveries after a recovery',
      { lastDeliveredAt: noon + 1, notified: told('recovered', noon, noon + hourMs) },
      120,
      {},
    ],
    [
      'decideStatus returns no event if a receiver recovered before an event was published',
      { lastDeliveredAt: noon },
      120,
      {},
    ],
    [
      'decideStatus returns no event when a paused subscription is confirmed again',
      { notified: told('paused', noon, noon), lastDeliveredAt: noon + 1 },
      120,
      {},
    ],
  ])('%s', (_what, given, minutes, expected) => {
    expect(decideStatus(subscription(given), noon + minutes * minuteMs)).toEqual(expected);
  });
});

describe('statusCheckAt', () => {
  const at = (given: Partial<StoredSubscription>, change: Parameters<typeof statusCheckAt>[1]) =>
    statusCheckAt(subscription(given), change, noon, minuteMs);

  it('statusCheckAt schedules a check an hour after the first failure, and shortly after each stored pause or recovery', () => {
    expect(at({}, { failingSince: noon - 1 })).toBe(noon - 1 + hourMs);
    expect(at({ failingSince: 1 }, { failingSince: 1, pause: 'undeliverable' })).toBe(noon + minuteMs);
    expect(at({ failingSince: noon - hourMs }, { lastDeliveredAt: noon })).toBe(noon + minuteMs);
  });

  it('statusCheckAt schedules no check after a short failure, for further failures, or for the status topic', () => {
    expect(at({ failingSince: noon - 50 * minuteMs }, { lastDeliveredAt: noon })).toBeUndefined();
    expect(at({ failingSince: 1 }, { lastFailure })).toBeUndefined();
    const watcher = aSubscription(statusTopicOf('client'));
    expect(statusCheckAt(watcher, { pause: 'gone' }, noon, minuteMs)).toBeUndefined();
  });
});

describe('the event about a state', () => {
  const address = 'https://receiver.example/hook?key=secret';
  const one = subscription({ address, lastFailure, pausedReason: 'undeliverable' });
  const event = (state: 'failing' | 'paused' | 'recovered') =>
    statusEvent(one, told(state, noon, noon), statusTopicOf('a'));

  it('a status event contains the receiver, the failure and the reason, but not the full address', () => {
    const { subject, body } = event('paused');
    expect([subject, JSON.parse(body)]).toEqual([
      'paused',
      {
        uuid: one.uuid,
        topic: 'CR',
        receiver: 'https://receiver.example/***',
        state: 'paused',
        since: new Date(noon).toISOString(),
        reason: 'undeliverable',
        class: 'tls',
        code: 'CERT_HAS_EXPIRED',
      },
    ]);
    expect(JSON.parse(event('failing').body)).not.toHaveProperty('reason');
    expect(JSON.parse(event('recovered').body)).not.toHaveProperty('class');
  });

  it('the ID of a status event depends on the client, the subscription, the state and the time when the state began', () => {
    const ids = [
      event('failing'),
      event('paused'),
      statusEvent(one, told('failing', noon + 1, noon), statusTopicOf('a')),
      statusEvent(one, told('failing', noon, noon), statusTopicOf(undefined)),
      statusEvent(subscription(), told('failing', noon, noon), statusTopicOf('a')),
    ];
    expect(new Set(ids.map(({ messageId }) => messageId)).size).toBe(ids.length);
    expect(statusEvent(one, told('failing', noon, noon + 5), statusTopicOf('a'))).toEqual(event('failing'));
  });

  it('status events belong to one topic, which has a separate generation for each client and for admins', () => {
    const [a, b, all] = [statusTopicOf('a'), statusTopicOf('b'), statusTopicOf(undefined)];
    expect([a.name, a.uuid]).toEqual([statusTopicName, all.uuid]);
    expect(new Set([a, b, all].map(({ generation }) => generation)).size).toBe(3);
  });
});
