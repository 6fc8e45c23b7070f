import { existsSync, readFileSync } from 'node:fs';

const status = '/proc/self/status';

/**
 * The most memory that this process has had, in megabytes. Linux counts the parent's in `maxRSS` of a child, but not in its
 * own high-water mark.
 */
export function peakMegabytes(): number {
  const mark = existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  return (mark ? Number(mark) : process.resourceUsage().maxRSS) / 1024;
}
