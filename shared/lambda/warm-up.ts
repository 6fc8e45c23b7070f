import { isWarmingUp } from './environment.ts';

/** Lambda allows ten seconds for initialisation. A failed warm-up costs at most this time. */
const maxMs = 1000;

const warmUps: (() => unknown)[] = [];

/**
 * Registers work to do once while Lambda initialises the function. During initialisation, the function has a full core
 * and no caller waits. The work must not change anything, and failures are ignored. The last line of each bundle waits
 * for the work, for at most a second.
 */
export const warmUpWith = (warmUp: () => unknown): void => {
  warmUps.push(warmUp);
};

/** Runs the registered work once. Never rejects. */
export async function runWarmUps(): Promise<void> {
  if (!isWarmingUp()) return;
  const doing = warmUps.splice(0).map(async (warmUp) => warmUp());
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, maxMs);
  await Promise.race([Promise.allSettled(doing), late.promise]);
  clearTimeout(timer);
}

// The last line of each bundle finds this function by its symbol, because bundling renames everything else.
Object.assign(globalThis, { [Symbol.for('runWarmUps')]: runWarmUps });
