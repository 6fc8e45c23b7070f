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
