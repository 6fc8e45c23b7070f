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

/** Returns the CPU time used by all threads of a process in milliseconds, or 0 if the process has exited. */
export function cpuMsOf(pid = 0): number {
  const facts = factsOf(pid) ?? [];
  // The kernel counts in hundredths of a second. See proc_pid_stat(5).
  return 10 * (Number(facts[11] ?? 0) + Number(facts[12] ?? 0));
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
    const before = cpuMsOf(pid);
    await sleep(intervalMs);
    if (cpuMsOf(pid) === before) return true;
  }
  return false;
}
