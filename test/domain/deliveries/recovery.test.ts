import { expect, it } from 'vitest';
import { mergeRecovery, nextPass, passOf, recoveryWaitMs } from '../../../shared/domain/deliveries/recovery.ts';

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const requested = (since: number, until: number, stepId = 'requested') => ({
  stepId,
  since: at(since),
  until: at(until),
});
const underWay = { ...requested(8, 10, 'first'), sent: 3, isOver: false };

it('a requested recovery starts if no other recovery is in progress', () => {
  const begun = { recovery: { ...requested(7, 11), sent: 0, isOver: false }, isBegun: true };
  expect(mergeRecovery(undefined, requested(7, 11))).toEqual(begun);
  expect(mergeRecovery({ ...underWay, isOver: true }, requested(7, 11))).toEqual(begun);
});

it('extending a recovery does not change its current part, and changes its step only if the recovery is stuck', () => {
  const pass = { from: at(8), to: at(10) };
  const widened = { ...underWay, since: at(7), until: at(11), pass };
  expect(mergeRecovery(underWay, requested(7, 11))).toEqual({ recovery: widened, isBegun: false });
  const stuck = mergeRecovery({ ...underWay, isStuck: true }, requested(7, 11));
  expect(stuck).toEqual({ recovery: { ...widened, stepId: 'requested' }, isBegun: true });
});

it('an extended recovery processes the added earlier part next and the added later part last', () => {
  const { recovery } = mergeRecovery(underWay, requested(7, 11));
  const earlier = nextPass(recovery);
  expect(earlier).toEqual({ pass: { from: at(7), to: at(8) }, passed: { from: at(8), to: at(10) } });
  const later = nextPass({ ...recovery, ...earlier });
  expect(later).toEqual({ pass: { from: at(10), to: at(11) }, passed: { from: at(7), to: at(10) } });
  expect(nextPass({ ...recovery, ...later })).toBeUndefined();
  expect([passOf(underWay), nextPass(underWay)]).toEqual([{ from: at(8), to: at(10) }, undefined]);
});

it.each([
  ['long', 0, 2000],
  ['unready', 0, 60_000],
  ['full', 0, 2000],
  ['full', 1, 2000],
  ['full', 2, 4000],
  ['full', 9, 512_000],
  ['full', 10, 600_000],
  ['full', 5000, 600_000],
] as const)(
  'after a step with the result %s (%d steps with too many pending deliveries), the next step waits %d ms',
  (is, idle, waitMs) => {
    expect(recoveryWaitMs(is, idle)).toBe(waitMs);
  },
);
