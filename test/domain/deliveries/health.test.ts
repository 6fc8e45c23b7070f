import { describe, expect, it } from 'vitest';
import { channelOf } from '../../../shared/domain/deliveries/channels.ts';
import { assessHealth, type HealthChange } from '../../../shared/domain/deliveries/health.ts';
import type { DeliveryOutcome } from '../../../shared/domain/deliveries/outcome.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { aSubscription, noon } from '../../harness/builders.ts';

const { patienceMs = Number.NaN } = channelOf('http');
const hour = 3_600_000;
const day = 24 * hour;
const pauseAfterMs = 5 * day;
const delivered: DeliveryOutcome = { class: 'delivered', status: 200, at: noon, next: 'none' };
const retried: DeliveryOutcome = { class: 'timeout', at: noon, next: 'retry', notBefore: noon + hour };
const failed: DeliveryOutcome = { class: 'http', status: 500, at: noon, next: 'failed' };

const assess = (given: Partial<StoredSubscription>, outcome: DeliveryOutcome) =>
  assessHealth(aSubscription(undefined, given), outcome, pauseAfterMs);

const well = { activeSince: noon - 30 * day };
const ill = { ...well, isFailing: true, failingSince: noon - hour };
const slow = { ...well, isFailing: true };

describe('after a delivery', () => {
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['the first successful delivery changes nothing', { activeSince: noon - hour }, undefined],
    ['a further successful delivery changes nothing', well, undefined],
    ['a failing subscription becomes healthy again', ill, { isFailing: false, lastDeliveredAt: noon }],
    ['a slow subscription becomes healthy again', slow, { isFailing: false, lastDeliveredAt: noon }],
    [
      'a delivery that is older than the last recorded delivery changes nothing',
      { ...slow, lastDeliveredAt: noon + 1 },
      undefined,
    ],
    ['a delivery made before the confirmation changes nothing', { ...ill, activeSince: noon + 1 }, undefined],
  ])('%s', (_what, given, change) => {
    expect(assess(given, delivered)).toEqual(change);
  });
});

const late = { ...delivered, tookMs: patienceMs };
it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
  ['a healthy receiver is marked as slow after a slow delivery', well, { isFailing: true, lastDeliveredAt: noon }],
  ['nothing changes if the receiver is already slow', slow, undefined],
  ['a failing receiver is marked as slow after a slow delivery', ill, { isFailing: true, lastDeliveredAt: noon }],
  ['a mailbox is not marked as slow, because emails wait for their turn', { ...well, protocol: 'email' }, undefined],
  [
    'a failing mailbox becomes healthy again',
    { ...ill, protocol: 'email' },
    { isFailing: false, lastDeliveredAt: noon },
  ],
])('%s', (_what, given, change) => {
  expect(assess(given, late)).toEqual(change);
});

it('a delivery does not count as slow if it takes one millisecond less than the limit', () => {
  expect(assess(well, { ...late, tookMs: patienceMs - 1 })).toBeUndefined();
});

describe('after a failure', () => {
  const begins: HealthChange = { isFailing: true, failingSince: noon };
  it.each<[string, Partial<StoredSubscription>, DeliveryOutcome, HealthChange | undefined]>([
    ['the subscription is marked as failing from the time of the failure', well, retried, begins],
    ['the subscription is marked as failing even if the message has no retries left', well, failed, begins],
    ['the subscription is marked as failing even if it was slow before', slow, retried, begins],
    ['the email subscription is marked as failing', { ...well, protocol: 'email' }, retried, begins],
    ['nothing changes if the subscription is already failing', ill, retried, undefined],
    ['nothing changes if the first failure is too recent to pause the subscription', ill, failed, undefined],
    [
      'nothing changes if a later delivery is already recorded',
      { ...well, lastDeliveredAt: noon + 1 },
      retried,
      undefined,
    ],
  ])('%s', (_what, given, outcome, change) => {
    const { class: kind, status, at } = outcome;
    expect(assess(given, outcome)).toEqual(change && { ...change, lastFailure: { class: kind, status, at } });
  });

  it.each<[string, DeliveryOutcome]>([
    ['the delivery was deferred', { class: 'split', at: noon, next: 'retry', notBefore: noon }],
    ['one of our limits postponed the delivery', { ...retried, class: 'email', isPostponed: true }],
  ])('nothing changes if %s', (_what, outcome) => {
    for (const given of [well, ill, slow, {}]) expect(assess(given, outcome)).toBeUndefined();
  });

  it('a subscription is paused immediately if its receiver returns 410, whether the receiver was healthy or failing', () => {
    const gone: DeliveryOutcome = { class: 'http', status: 410, at: noon, next: 'failed' };
    for (const given of [well, ill, {}])
      expect(assess(given, gone)).toEqual({
        isFailing: true,
        pause: 'gone',
        lastFailure: { class: 'http', status: 410, at: noon },
      });
  });

  it('the subscription is not paused by any other HTTP status, or by the status 410 for an email', () => {
    for (const status of [301, 400, 404, 409, 411, 429, 503]) {
      expect(assess(ill, { ...failed, status })).toBeUndefined();
    }
    expect(assess(ill, { class: 'email', status: 410, at: noon, next: 'failed' })).toBeUndefined();
  });
});

describe('a message without retries left', () => {
  const lastFailure = { class: 'http', status: 500, at: noon };
  const longAgo = { activeSince: noon - 300 * day, isFailing: true };

  it('a subscription is paused if no delivery succeeds for the configured number of days after the first failure', () => {
    const failingSince = noon - pauseAfterMs;
    expect(assess({ ...longAgo, failingSince }, failed)).toEqual({ failingSince, pause: 'undeliverable', lastFailure });
  });

  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['the first failure is too recent', { ...longAgo, failingSince: noon - pauseAfterMs + 1 }, undefined],
    [
      'the current failure is the first, even if no message had been sent for a long time',
      { activeSince: noon - 300 * day },
      { isFailing: true, failingSince: noon, lastFailure },
    ],
    [
      'the subscription was confirmed again after the first failure',
      { ...longAgo, failingSince: noon - pauseAfterMs, activeSince: noon + 1 },
      undefined,
    ],
  ])('a subscription is not paused if %s', (_what, given, change) => {
    expect(assess(given, failed)).toEqual(change);
  });

  it('a subscription is not paused while the message has retries left, even after a long period of failures', () => {
    expect(assess({ ...longAgo, failingSince: noon - 200 * day }, retried)).toBeUndefined();
  });
});
