import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the peak memory use of a process in megabytes. On Linux, the `maxRSS` of a child process includes its
 * parent's memory, but the child's high-water mark does not.
 * @param pid defaults to this process
 * @returns 0 if the process has exited
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const status = `/proc/${pid}/status`;
  const mark = existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  if (mark) return Number(mark) / 1024;
  return pid === 'self' ? process.resourceUsage().maxRSS / 1024 : 0;
}

const ticksPerSecond = 100;

/** Returns the fields of /proc/PID/stat, starting with the process state, or undefined if the process has exited. */
export function fieldsOf(pid: number | undefined): string[] | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the process may contain any character and ends at the last bracket. See proc_pid_stat(5).
  const [fields = ''] = readFileSync(file, 'utf8').split(') ').slice(-1);
  return fields.split(' ');
}

/** Returns the CPU time of all threads of a process in milliseconds, or 0 if the process has exited. */
export function cpuMsOf(pid: number | undefined): number {
  const fields = fieldsOf(pid);
  return (1000 * (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0))) / ticksPerSecond;
}
