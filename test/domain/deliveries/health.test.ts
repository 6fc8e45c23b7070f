import { describe, expect, it } from 'vitest';
import { channelOf } from '../../../shared/domain/deliveries/channels.ts';
import { assessHealth, type HealthChange } from '../../../shared/domain/deliveries/health.ts';
import type { StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import type { LedgerOutcome } from '../../../shared/model/deliveries/outcome.ts';
import { aSubscription, noon } from '../../harness/builders.ts';

const { patienceMs = Number.NaN } = channelOf('http');
const hour = 3_600_000;
const day = 24 * hour;
const pauseAfterMs = 5 * day;
const delivered: LedgerOutcome = { class: 'delivered', status: 200, at: noon, next: 'none' };
const retried: LedgerOutcome = { class: 'timeout', at: noon, next: 'retry', notBefore: noon + hour };
const failed: LedgerOutcome = { class: 'http', status: 500, at: noon, next: 'failed' };

const assess = (given: Partial<StoredSubscription>, outcome: LedgerOutcome) =>
  assessHealth(aSubscription(undefined, given), outcome, pauseAfterMs);

const well = { activeSince: noon - 30 * day };
const ill = { ...well, isFailing: true, failingSince: noon - hour };
const slow = { ...well, isFailing: true };

describe('after a delivery', () => {
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['that is the first, nothing is written', { activeSince: noon - hour }, undefined],
    ['after many others, nothing is written', well, undefined],
    ['to one that has been failing, it is well again', ill, { isFailing: false, lastDeliveredAt: noon }],
    ['to one that has been slow, it is well again', slow, { isFailing: false, lastDeliveredAt: noon }],
    ['that is older than the one that ended a failure', { ...slow, lastDeliveredAt: noon + 1 }, undefined],
    ['that is older than its confirmation', { ...ill, activeSince: noon + 1 }, undefined],
  ])('%s', (_what, given, change) => {
    expect(assess(given, delivered)).toEqual(change);
  });
});

describe('a delivery that took long', () => {
  const late = { ...delivered, tookMs: patienceMs };
  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['is of a slow receiver', well, { isFailing: true, lastDeliveredAt: noon }],
    ['leaves a slow one slow', slow, undefined],
    ['ends its failing all the same', ill, { isFailing: true, lastDeliveredAt: noon }],
    ['is of no slow reader: mail waits for its turn', { ...well, protocol: 'email' }, undefined],
    ['brings back a reader', { ...ill, protocol: 'email' }, { isFailing: false, lastDeliveredAt: noon }],
  ])('%s', (_what, given, change) => {
    expect(assess(given, late)).toEqual(change);
  });

  it('took a millisecond less', () => {
    expect(assess(well, { ...late, tookMs: patienceMs - 1 })).toBeUndefined();
  });
});

describe('after a failure', () => {
  const begins: HealthChange = { isFailing: true, failingSince: noon };
  it.each<[string, Partial<StoredSubscription>, LedgerOutcome, HealthChange | undefined]>([
    ['it is failing since then', well, retried, begins],
    ['it is failing since then, though the message has failed for good', well, failed, begins],
    ['it is failing since then, though it was slow before', slow, retried, begins],
    ['it is failing since then, though it is a reader', { ...well, protocol: 'email' }, retried, begins],
    ['nothing changes where that is written down', ill, retried, undefined],
    ['nothing changes while others of its messages may still arrive', ill, failed, undefined],
    ['nothing changes where a later delivery is known', { ...well, lastDeliveredAt: noon + 1 }, retried, undefined],
  ])('%s', (_what, given, outcome, change) => {
    const { class: kind, status, at } = outcome;
    expect(assess(given, outcome)).toEqual(change && { ...change, lastFailure: { class: kind, status, at } });
  });

  it.each<[string, LedgerOutcome]>([
    ['was only moved to a task of its own', { class: 'split', at: noon, next: 'retry', notBefore: noon }],
    ['was held up by a limit of ours', { ...retried, class: 'email', isPostponed: true }],
  ])('nothing changes where the subscription %s', (_what, outcome) => {
    for (const given of [well, ill, slow, {}]) expect(assess(given, outcome)).toBeUndefined();
  });

  it('the receiver that is gone is paused at once, well or ill', () => {
    const gone: LedgerOutcome = { class: 'http', status: 410, at: noon, next: 'failed' };
    for (const given of [well, ill, {}])
      expect(assess(given, gone)).toEqual({
        isFailing: true,
        pause: 'gone',
        lastFailure: { class: 'http', status: 410, at: noon },
      });
  });

  it('other statuses, and answers that are no http, pause nobody', () => {
    for (const status of [301, 400, 404, 409, 411, 429, 503]) {
      expect(assess(ill, { ...failed, status })).toBeUndefined();
    }
    expect(assess(ill, { class: 'email', status: 410, at: noon, next: 'failed' })).toBeUndefined();
  });
});

describe('a message that has used up its policy', () => {
  const lastFailure = { class: 'http', status: 500, at: noon };
  const longAgo = { activeSince: noon - 300 * day, isFailing: true };

  it('pauses when nothing was delivered since a failure so long ago', () => {
    const failingSince = noon - pauseAfterMs;
    expect(assess({ ...longAgo, failingSince }, failed)).toEqual({ failingSince, pause: 'undeliverable', lastFailure });
  });

  it.each<[string, Partial<StoredSubscription>, HealthChange | undefined]>([
    ['the first failure is not so long ago', { ...longAgo, failingSince: noon - pauseAfterMs + 1 }, undefined],
    [
      'there was no failure before it, however quiet its topic was',
      { activeSince: noon - 300 * day },
      { isFailing: true, failingSince: noon, lastFailure },
    ],
    [
      'it was confirmed again since',
      { ...longAgo, failingSince: noon - pauseAfterMs, activeSince: noon + 1 },
      undefined,
    ],
  ])('pauses nobody where %s', (_what, given, change) => {
    expect(assess(given, failed)).toEqual(change);
  });

  it('pauses nobody while retries are left, however long it has been failing', () => {
    expect(assess({ ...longAgo, failingSince: noon - 200 * day }, retried)).toBeUndefined();
  });
});
