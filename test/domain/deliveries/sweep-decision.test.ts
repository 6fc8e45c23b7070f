import { expect, it } from 'vitest';
import {
  decideReconciliation,
  decideSweep,
  maxResumes,
  type SweepDecision,
} from '../../../shared/domain/deliveries/sweep-decision.ts';

const everyMs = 60_000;
const lane = (waiting: number, delayed = 0) => ({ waiting, delayed, perSecond: 10 });
const look = (given: Partial<Parameters<typeof decideSweep>[0]>): SweepDecision =>
  decideSweep({ resumes: 0, wasPostponed: false, lanes: [lane(0)], everyMs, quickMs: 1000, ...given });

it('a due row is resumed immediately if its lanes are almost empty', () => {
  expect(look({ lanes: [lane(10), lane(3)] })).toEqual({ is: 'sent', forMs: 4 * everyMs });
});

it('a due row is postponed until its slowest lane has had enough time to process the waiting tasks', () => {
  const forMs = 11_100 + everyMs;
  expect(look({ lanes: [lane(11), lane(111)] })).toEqual({ is: 'postponed', forMs, wasPostponed: true });
});

it('a due row is resumed after one postponement, even if the lane is full again', () => {
  expect(look({ lanes: [lane(1e9)], wasPostponed: true })).toEqual({ is: 'sent', forMs: 4 * everyMs });
});

it('a due row is postponed by at most 12 hours', () => {
  expect(look({ lanes: [lane(1e9)] })).toMatchObject({ forMs: 12 * 3_600_000 + everyMs });
});

it('a due row is postponed while a lane is stopped, and may then be postponed once more if the lane is full', () => {
  for (const wasPostponed of [false, true]) {
    const held = { is: 'postponed', forMs: 15 * 60_000, wasPostponed: false };
    expect(look({ lanes: [lane(0), lane(0, 1)], wasPostponed, resumes: maxResumes })).toEqual(held);
  }
});

it('after each resume, a due row waits four times as long as before, and it is stuck after the third resume', () => {
  const waits = [0, 1, 2].map((resumes) => look({ resumes }));
  expect(waits).toEqual([4, 16, 64].map((times) => ({ is: 'sent', forMs: times * everyMs })));
  expect(look({ resumes: 3 })).toEqual({ is: 'stuck' });
  expect(look({ resumes: 3, lanes: [lane(100)] })).toMatchObject({ is: 'postponed' });
});

const free = [lane(0)];
const [held, busy] = [[lane(0, 1)], [lane(11)]];
const reconcile = (given: Partial<Parameters<typeof decideReconciliation>[0]>): SweepDecision => {
  const lanesOf = { http: free, email: free };
  return decideReconciliation({
    resumes: 0,
    wasPostponed: false,
    lanes: free,
    lanesOf,
    skippedProtocols: [],
    everyMs,
    quickMs: 1000,
    ...given,
  });
};
const quarterMs = 15 * 60_000;

it('a reconciliation that skips a protocol with a stopped lane does not count as an attempt and does not repeat other protocols', () => {
  const lanesOf = { http: free, email: held };
  const inPart = { is: 'inPart', forMs: quarterMs, wasPostponed: false, skippedProtocols: ['email'] };
  expect(reconcile({ lanesOf })).toEqual(inPart);
  expect(reconcile({ lanesOf, skippedProtocols: ['email'] })).toEqual({
    is: 'postponed',
    forMs: quarterMs,
    wasPostponed: false,
  });
  expect(reconcile({ lanesOf, skippedProtocols: ['http'] })).toEqual(inPart);
  expect(reconcile({ skippedProtocols: ['email'] })).toMatchObject({ is: 'sent' });
});

it('a reconciliation skips a protocol with a full lane only once', () => {
  const lanesOf = { http: busy, email: free };
  const forMs = 1100 + everyMs;
  expect(reconcile({ lanesOf })).toEqual({ is: 'inPart', forMs, wasPostponed: true, skippedProtocols: ['http'] });
  // The full fan-out queue caused the first postponement, not the lanes of the protocols.
  expect(reconcile({ lanesOf, wasPostponed: true })).toMatchObject({ is: 'inPart' });
  expect(reconcile({ lanesOf, wasPostponed: true, skippedProtocols: ['http'] })).toMatchObject({ is: 'sent' });
});

it('a reconciliation that would skip every protocol is postponed, and then runs even if the lanes are full', () => {
  const lanesOf = { http: busy, email: busy };
  const postponed = reconcile({ lanesOf });
  expect(postponed).toMatchObject({ is: 'postponed', wasPostponed: true, skippedProtocols: ['http', 'email'] });
  expect(reconcile({ lanesOf, wasPostponed: true, skippedProtocols: ['http', 'email'] })).toMatchObject({
    is: 'sent',
  });
});

it('a reconciliation waits while the fan-out queue is full, and is stuck only if no lane that may contain its tasks is stopped', () => {
  expect(reconcile({ lanes: busy })).toEqual({ is: 'postponed', forMs: 1100 + everyMs, wasPostponed: true });
  expect(reconcile({ resumes: maxResumes })).toEqual({ is: 'stuck' });
  expect(reconcile({ resumes: maxResumes, lanesOf: { http: free, email: held } })).toMatchObject({ is: 'postponed' });
});
