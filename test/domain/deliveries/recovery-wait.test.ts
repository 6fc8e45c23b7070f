import { expect, it } from 'vitest';
import { recoveryWaitMs } from '../../../shared/domain/deliveries/recovery.ts';

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
  'after a step with the result %s (%d steps in a row without room), the next step of a recovery waits %d ms',
  (is, idle, waitMs) => {
    expect(recoveryWaitMs(is, idle)).toBe(waitMs);
  },
);
