import { expect, it } from 'vitest';
import { recoveryWaitMs } from '../../../shared/domain/deliveries/recovery.ts';

const now = 1_000_000_000;

it.each([
  ['long', 0, undefined, 2000],
  ['unready', 0, undefined, 60_000],
  ['full', 0, undefined, 2000],
  ['full', 1, undefined, 2000],
  ['full', 2, undefined, 4000],
  ['full', 9, undefined, 512_000],
  ['full', 10, undefined, 600_000],
  ['full', 5000, undefined, 600_000],
  ['full', 0, now - 1000, 30_000],
  ['full', 7, now - 1000, 128_000],
  ['full', 0, now - 86_400_000, 600_000],
] as const)(
  'after a step with the result %s (%d steps in a row without room, failing since %s), the next step waits %d ms',
  (is, idle, since, waitMs) => {
    expect(recoveryWaitMs(is, idle, since, now)).toBe(waitMs);
  },
);
