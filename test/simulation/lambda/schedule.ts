import type { VirtualClock } from '../clock/virtual-clock.ts';

/** Runs something at each full `everyMs`, as a schedule does, where `isDue` says that it would find something. */
export function schedule(
  clock: VirtualClock,
  everyMs: number,
  run: () => void,
  isDue: () => boolean = () => true,
): void {
  const next = (): void => {
    clock.after(everyMs - (clock.now() % everyMs), () => {
      next();
      if (isDue()) run();
    });
  };
  next();
}
