import { describe, expect, it } from 'vitest';
import { channelOf } from '../../../shared/domain/deliveries/channels.ts';
import { assessHealth, type HealthChange } from '../../../shared/domain/deliveries/health.ts';
import type { LedgerOutcome } from '../../../shared/model/deliveries/outcome.ts';
import type { StoredSubscription } from '../../../shared/model/subscriptions/subscription.ts';
import { aSubscription, noon } from '../../support/builders.ts';

const { patienceMs = Number.NaN } = channelOf('http');
const hour = 3_600_000;
const day = 24 * hour;
const pauseAfterMs = 5 * day;
const delivered: LedgerOutcome = { class: 'delivered', status: 200, at: noon, next: 'none' };
const retried: LedgerOutcome = { class: 'timeout', at: noon, next: 'retry', notBefore: noon + hour };
const failed: LedgerOutcome = { class: 'http', status: 500, at: noon, next: 'failed' };

const assess = (given: Partial<StoredSubscription>, outcome: LedgerOutcome) =>
  assessHealth(aSubscription(undefined, given), outcome, pauseAfterMs);

const well = { activeSince: noon - 30 * day, lastDeliveredAt: noon - hour };
const ill = { ...well, isFailing: true };

describe('after a delivery', () => {
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['that is the first', { activeSince: noon - hour }, { isFailing: false, lastDeliveredAt: noon }],
    ['within half a day of one that is written down', well, undefined],
    ['just within half a day', { lastDeliveredAt: noon - 12 * hour + 1 }, undefined],
    ['half a day later', { lastDeliveredAt: noon - 12 * hour }, { isFailing: false, lastDeliveredAt: noon }],
    ['to one that has been failing', ill, { isFailing: false, lastDeliveredAt: noon }],
  ])('%s', (_what, given, change) => {
    expect(assess(given, delivered)).toEqual(change);
  });
});

describe('a delivery that took long', () => {
  const slow = { ...delivered, tookMs: patienceMs };
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['is of a slow receiver', well, { isFailing: true, lastDeliveredAt: noon }],
    ['leaves a slow one slow', ill, undefined],
    ['is of no slow reader: mail waits for its turn', { ...well, protocol: 'email' }, undefined],
    ['brings back a reader', { ...ill, protocol: 'email' }, { isFailing: false, lastDeliveredAt: noon }],
  ])('%s', (_what, given, change) => {
    expect(assess(given, slow)).toEqual(change);
  });

  it('took a millisecond less', () => {
    expect(assess(well, { ...slow, tookMs: patienceMs - 1 })).toBeUndefined();
  });
});

describe('after a failure', () => {
  it.each<[string, Partial<StoredSubscription>, LedgerOutcome, HealthChange | undefined]>([
    ['it is failing', well, retried, { isFailing: true }],
    ['it is failing, though the message has failed for good', well, failed, { isFailing: true }],
    ['nothing changes where that is written down', ill, retried, undefined],
    ['nothing changes while others of its messages may still arrive', ill, failed, undefined],
  ])('%s', (_what, given, outcome, change) => {
    expect(assess(given, outcome)).toEqual(change);
  });

  it('nothing changes where the subscription was only moved to a task of its own', () => {
    const moved: LedgerOutcome = { class: 'split', at: noon, next: 'retry', notBefore: noon };
    for (const given of [well, ill, {}]) expect(assess(given, moved)).toBeUndefined();
  });

  it('the receiver that is gone is paused at once, well or ill', () => {
    const gone: LedgerOutcome = { class: 'http', status: 410, at: noon, next: 'failed' };
    for (const given of [well, ill, {}]) expect(assess(given, gone)).toEqual({ isFailing: true, pause: 'gone' });
  });

  it('other statuses, and answers that are no http, pause nobody', () => {
    for (const status of [301, 400, 404, 409, 411, 429, 503]) {
      expect(assess(ill, { ...failed, status })).toBeUndefined();
    }
    expect(assess(ill, { class: 'email', status: 410, at: noon, next: 'failed' })).toBeUndefined();
  });
});

describe('a message that has used up its policy', () => {
  // The last delivery is written down to within half a day: that much is added, so that nobody is paused too early.
  const silence = pauseAfterMs + 12 * hour;
  const paused: HealthChange = { isFailing: true, pause: 'undeliverable' };

  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['nothing was delivered for so long', { lastDeliveredAt: noon - silence, activeSince: noon - 30 * day }, paused],
    ['something was delivered just before', { lastDeliveredAt: noon - silence + 1 }, { isFailing: true }],
    ['nothing was ever delivered since it became active', { activeSince: noon - silence }, paused],
    ['it has not been active for so long', { activeSince: noon - silence + 1 }, { isFailing: true }],
    [
      'it was confirmed again after a long silence',
      { lastDeliveredAt: noon - 30 * day, activeSince: noon - day },
      { isFailing: true },
    ],
    ['it has been failing all the time', { lastDeliveredAt: noon - silence, isFailing: true }, paused],
  ])('pauses by how long nothing came through: %s', (_what, given, change) => {
    expect(assess(given, failed)).toEqual(change);
  });

  it('pauses nobody while retries are left, however long nothing came through', () => {
    expect(assess({ activeSince: noon - 300 * day, isFailing: true }, retried)).toBeUndefined();
  });
});
