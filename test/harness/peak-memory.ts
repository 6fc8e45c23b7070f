import { existsSync, readFileSync } from 'node:fs';

/**
 * The most memory that a process has had, in megabytes. Linux counts the parent's in `maxRSS` of a child, but not in its
 * own high-water mark.
 * @param pid this process when left out
 * @returns 0 where the process is gone
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const status = `/proc/${pid}/status`;
  const mark = existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  if (mark) return Number(mark) / 1024;
  return pid === 'self' ? process.resourceUsage().maxRSS / 1024 : 0;
}

/** The most memory that the processes which this one has started, and which still run, have had. */
export function peakMegabytesOfChildren(): number {
  const children = `/proc/self/task/${process.pid}/children`;
  if (!existsSync(children)) return 0;
  const pids = readFileSync(children, 'utf8').trim().split(' ').filter(Boolean);
  return pids.reduce((sum, pid) => sum + peakMegabytes(Number(pid)), 0);
}
