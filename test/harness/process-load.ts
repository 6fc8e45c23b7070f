import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 100;

/** What Linux says of a process from its state on; undefined where it is gone. */
function factsOf(pid: number): string[] | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, which may hold anything, ends with the last bracket.
  return readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** Hundredths of a second that all threads of a process have computed so far. */
function computed(pid: number): number | undefined {
  const facts = factsOf(pid);
  return facts && Number(facts[11]) + Number(facts[12]);
}

/** Whether a process is there. What has ended and is not yet collected by its parent has no memory and no threads. */
export function isRunning(pid: number): boolean {
  if (existsSync('/proc/self/stat')) return !['Z', undefined].includes(factsOf(pid)?.[0]);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process is gone, or comes to rest within a few looks: an interval in which none of its threads computes. */
export async function comesToRest(pid: number, looks = 20): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    const before = computed(pid);
    await sleep(intervalMs);
    if (computed(pid) === before) return true;
  }
  return false;
}
