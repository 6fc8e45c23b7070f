import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the peak memory use of a process in megabytes. On Linux, `maxRSS` of a child process includes the memory of
 * its parent, but the high-water mark of the child does not.
 * @param pid the process (default: this process)
 * @returns 0 if the process has exited
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const status = `/proc/${pid}/status`;
  const mark = existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  if (mark) return Number(mark) / 1024;
  return pid === 'self' ? process.resourceUsage().maxRSS / 1024 : 0;
}

const ticksPerSecond = 100;

/** Returns the fields of /proc/PID/stat from the process state on, or undefined if the process has exited. */
export function fieldsOf(pid: number | undefined): string[] | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The process name may contain any character and ends at the last closing bracket. See proc_pid_stat(5).
  const [fields = ''] = readFileSync(file, 'utf8').split(') ').slice(-1);
  return fields.split(' ');
}

/** Returns the CPU time that all threads of a process have used, in milliseconds, or 0 if the process has exited. */
export function cpuMsOf(pid: number | undefined): number {
  const fields = fieldsOf(pid);
  return (1000 * (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0))) / ticksPerSecond;
}
