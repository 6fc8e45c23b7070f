import { existsSync, readFileSync } from 'node:fs';

/**
 * The most memory that a process has had, in megabytes. Linux counts the parent's in `maxRSS` of a child, but not in its
 * own high-water mark.
 * @param pid 0 where the process is gone; this one when left out
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const status = `/proc/${pid}/status`;
  const mark = existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  if (mark) return Number(mark) / 1024;
  return pid === 'self' ? process.resourceUsage().maxRSS / 1024 : 0;
}
