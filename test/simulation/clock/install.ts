import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { currentActor } from './actor.ts';
import type { Chance } from './chance.ts';
import type { Timer, VirtualClock } from './virtual-clock.ts';

type Run = (...args: unknown[]) => void;

/** Returns a timer handle with those methods of Node.js timers that callers use. */
const handleOf = (timer: Timer) => ({ timer, ref: () => {}, unref: () => {}, hasRef: () => false });

function timersOf(clock: VirtualClock) {
  // Binds the timer to the async context in which it was set, as Node.js does.
  const setTimeout = (run: Run, ms = 0, ...args: unknown[]) =>
    handleOf(
      clock.after(
        ms,
        AsyncLocalStorage.bind(() => run(...args)),
      ),
    );
  const clearTimeout = (handle?: { timer?: Timer }): void => {
    if (handle?.timer !== undefined) clock.cancel(handle.timer);
  };
  const sleep = <Value>(ms = 0, value?: Value, { signal }: { signal?: AbortSignal } = {}): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = clock.after(ms, () => resolve(value));
      signal?.addEventListener('abort', () => {
        clock.cancel(timer);
        reject(signal.reason);
      });
    });
  return { setTimeout, clearTimeout, sleep };
}

/** Returns deterministic replacements for the functions that provide the clock and the randomness of this process. */
function replacements(clock: VirtualClock, chance: Chance) {
  const { setTimeout, clearTimeout, sleep } = timersOf(clock);
  const randomBytes = (count: number): Buffer => Buffer.from(chance.bytes(count));
  const randomUUID = (): string => {
    const hex = randomBytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const now = () => Math.floor(clock.now() + (currentActor()?.skewMs ?? 0));
  return [
    [globalThis, { setTimeout, clearTimeout }],
    [timers, { setTimeout, clearTimeout }],
    [timersPromises, { setTimeout: sleep }],
    [Date, { now }],
    [Math, { random: () => chance.next() }],
    [crypto, { randomBytes, randomInt: (below: number) => chance.int(0, below - 1), randomUUID }],
    [globalThis.crypto, { randomUUID }],
  ] as const;
}

/**
 * Replaces the clock, the timers and the randomness of this process. Each actor has its own clock. After this call, all
 * code is deterministic. Returns a function that restores the originals.
 */
export function install(clock: VirtualClock, chance: Chance): () => void {
  const before = replacements(clock, chance).map(([holder, members]) => {
    const names = Object.keys(members) as (keyof typeof holder)[];
    const kept = Object.fromEntries(names.map((name) => [name, holder[name]]));
    Object.assign(holder, members);
    return [holder, kept] as const;
  });
  syncBuiltinESMExports();
  return () => {
    for (const [holder, kept] of before) Object.assign(holder, kept);
    syncBuiltinESMExports();
  };
}
