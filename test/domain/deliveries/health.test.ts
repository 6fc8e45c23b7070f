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
    ['the first one changes nothing', { activeSince: noon - hour }, undefined],
    ['one of many changes nothing', well, undefined],
    ['a failing subscription is healthy again', ill, { isFailing: false, lastDeliveredAt: noon }],
    ['a slow subscription is healthy again', slow, { isFailing: false, lastDeliveredAt: noon }],
    ['one older than the end of a failure changes nothing', { ...slow, lastDeliveredAt: noon + 1 }, undefined],
    ['one older than the confirmation changes nothing', { ...ill, activeSince: noon + 1 }, undefined],
  ])('%s', (_what, given, change) => {
    expect(assess(given, delivered)).toEqual(change);
  });
});

describe('a delivery that took long', () => {
  const late = { ...delivered, tookMs: patienceMs };
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['marks a receiver as slow', well, { isFailing: true, lastDeliveredAt: noon }],
    ['leaves a slow receiver slow', slow, undefined],
    ['ends a failure', ill, { isFailing: true, lastDeliveredAt: noon }],
    ['marks no mailbox as slow, because mail waits for its turn', { ...well, protocol: 'email' }, undefined],
    ['ends the failure of a mailbox', { ...ill, protocol: 'email' }, { isFailing: false, lastDeliveredAt: noon }],
  ])('%s', (_what, given, change) => {
    expect(assess(given, late)).toEqual(change);
  });

  it('does not count when it took a millisecond less', () => {
    expect(assess(well, { ...late, tookMs: patienceMs - 1 })).toBeUndefined();
  });
});

describe('after a failure', () => {
  const begins: HealthChange = { isFailing: true, failingSince: noon };
  it.each<[string, Partial<StoredSubscription>, DeliveryOutcome, HealthChange | undefined]>([
    ['the subscription is failing since then', well, retried, begins],
    ['the subscription is failing since then, even when the message has failed for good', well, failed, begins],
    ['the subscription is failing since then, even when it was slow before', slow, retried, begins],
    ['the mailbox is failing since then', { ...well, protocol: 'email' }, retried, begins],
    ['nothing changes when it is recorded already', ill, retried, undefined],
    ['nothing changes while other messages may still arrive', ill, failed, undefined],
    ['nothing changes when a later delivery is known', { ...well, lastDeliveredAt: noon + 1 }, retried, undefined],
  ])('%s', (_what, given, outcome, change) => {
    const { class: kind, status, at } = outcome;
    expect(assess(given, outcome)).toEqual(change && { ...change, lastFailure: { class: kind, status, at } });
  });

  it.each<[string, DeliveryOutcome]>([
    ['was deferred', { class: 'split', at: noon, next: 'retry', notBefore: noon }],
    ['was stopped by one of our limits', { ...retried, class: 'email', isPostponed: true }],
  ])('nothing changes when the subscription %s', (_what, outcome) => {
    for (const given of [well, ill, slow, {}]) expect(assess(given, outcome)).toBeUndefined();
  });

  it('a receiver that responds 410 is paused immediately, healthy or failing', () => {
    const gone: DeliveryOutcome = { class: 'http', status: 410, at: noon, next: 'failed' };
    for (const given of [well, ill, {}])
      expect(assess(given, gone)).toEqual({
        isFailing: true,
        pause: 'gone',
        lastFailure: { class: 'http', status: 410, at: noon },
      });
  });

  it('other statuses and invalid HTTP responses do not pause', () => {
    for (const status of [301, 400, 404, 409, 411, 429, 503]) {
      expect(assess(ill, { ...failed, status })).toBeUndefined();
    }
    expect(assess(ill, { class: 'email', status: 410, at: noon, next: 'failed' })).toBeUndefined();
  });
});

describe('a message without retries left', () => {
  const lastFailure = { class: 'http', status: 500, at: noon };
  const longAgo = { activeSince: noon - 300 * day, isFailing: true };

  it('pauses the subscription when nothing was delivered since a failure that long ago', () => {
    const failingSince = noon - pauseAfterMs;
    expect(assess({ ...longAgo, failingSince }, failed)).toEqual({ failingSince, pause: 'undeliverable', lastFailure });
  });

  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['the first failure is too recent', { ...longAgo, failingSince: noon - pauseAfterMs + 1 }, undefined],
    [
      'no failure came before, however quiet its topic was',
      { activeSince: noon - 300 * day },
      { isFailing: true, failingSince: noon, lastFailure },
    ],
    [
      'the subscription was confirmed again since',
      { ...longAgo, failingSince: noon - pauseAfterMs, activeSince: noon + 1 },
      undefined,
    ],
  ])('does not pause when %s', (_what, given, change) => {
    expect(assess(given, failed)).toEqual(change);
  });

  it('does not pause while retries are left, however long the subscription has been failing', () => {
    expect(assess({ ...longAgo, failingSince: noon - 200 * day }, retried)).toBeUndefined();
  });
});
