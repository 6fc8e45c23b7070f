import { processEnvironment } from './environment.ts';

/** The maximum duration of warm-ups, because Lambda allows only ten seconds for initialisation. */
const maxMs = 1000;

const warmUps: (() => unknown)[] = [];

/**
 * Registers work to do once while Lambda initialises the function. During this phase, the function has a full core and
 * no caller is waiting. The work must not change anything, and its failures are ignored. The last line of each bundle
 * waits for this work, for at most a second.
 */
export const warmUpWith = (warmUp: () => unknown): void => {
  if (processEnvironment().WARM_UP !== 'off') warmUps.push(warmUp);
};

/** Runs the registered work once. Never rejects. */
export async function runWarmUps(): Promise<void> {
  const doing = warmUps.splice(0).map(async (warmUp) => warmUp());
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, maxMs);
  await Promise.race([Promise.allSettled(doing), late.promise]);
  clearTimeout(timer);
}

// The last line of each bundle finds `runWarmUps` by a symbol, because bundling renames functions.
Object.assign(globalThis, { [Symbol.for('runWarmUps')]: runWarmUps });
