import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf, fieldsOf } from './peak-memory.ts';

const intervalMs = 100;

/** Whether a process is running. Zombie processes do not count. */
export function isRunning(pid: number): boolean {
  if (existsSync('/proc/self/stat')) return !['Z', undefined].includes(fieldsOf(pid)?.[0]);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Returns whether a process exits or becomes idle within the given number of checks. Idle processes use no CPU time.
 */
export async function becomesIdle(pid: number, looks = 20): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    const before = cpuMsOf(pid);
    await sleep(intervalMs);
    if (cpuMsOf(pid) === before) return true;
  }
  return false;
}
