import { isPriming } from './environment.ts';

/** Lambda gives a function ten seconds to initialise; one that cannot be primed loses no more than this. */
const mostMs = 1000;

const primes: (() => unknown)[] = [];

/**
 * Has something done once while Lambda initialises the function, with a whole core and before anybody waits: what the first
 * request would otherwise do for the first time, on the share of a core that the function's memory buys. It must not change
 * anything, its failure is nobody's concern, and the bundles wait for it, at their very end, for a second at the most.
 */
export const primeWith = (prime: () => unknown): void => {
  primes.push(prime);
};

/** Does what was asked for, once. Never rejects. */
export async function runPrimes(): Promise<void> {
  if (!isPriming()) return;
  const doing = primes.splice(0).map(async (prime) => prime());
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, mostMs);
  await Promise.race([Promise.allSettled(doing), late.promise]);
  clearTimeout(timer);
}

// A bundle's last line, which knows none of its names, finds it here.
Object.assign(globalThis, { [Symbol.for('runPrimes')]: runPrimes });
