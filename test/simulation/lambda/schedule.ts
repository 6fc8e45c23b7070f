import type { VirtualClock } from '../clock/virtual-clock.ts';

/** Runs a function at every multiple of `everyMs`, except when `isDue` returns false. */
export function schedule(
  clock: VirtualClock,
  everyMs: number,
  run: () => void,
  isDue: () => boolean = () => true,
): void {
  const next = (): void => {
    clock.after(everyMs - (clock.now() % everyMs), () => {
      next();
      return isDue() && run();
    });
  };
  next();
}
