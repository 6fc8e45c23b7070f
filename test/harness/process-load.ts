import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 100;

/** Returns the fields of /proc/PID/stat, starting with the process state; undefined if the process has exited. */
function factsOf(pid: number): string[] | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The program name may contain any character and ends at the last closing parenthesis.
  return readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** Returns the CPU time used by all threads, in hundredths of a second. */
function computed(pid: number): number | undefined {
  const facts = factsOf(pid);
  return facts && Number(facts[11]) + Number(facts[12]);
}

/** Whether a process is running. Zombie processes do not count. */
export function isRunning(pid: number): boolean {
  if (existsSync('/proc/self/stat')) return !['Z', undefined].includes(factsOf(pid)?.[0]);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process exits or becomes idle within a few checks. An idle process uses no CPU time between two checks. */
export async function becomesIdle(pid: number, looks = 20): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    const before = computed(pid);
    await sleep(intervalMs);
    if (computed(pid) === before) return true;
  }
  return false;
}
