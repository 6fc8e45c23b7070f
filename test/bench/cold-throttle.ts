import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneCoreMegabytes } from '../../shared/contract/job.ts';
import type { Loaded } from './cold-process.ts';

const periodMicroseconds = 20_000;

/** Limits a process to the share of a core that Lambda provides during a call. */
export interface Throttle {
  readonly how: string;
  hold(pid: number, memoryMegabytes: number): void;
  /** Returns the measured or computed duration of a call if the process has the CPU share that this memory provides. */
  heldMs(called: Loaded, memoryMegabytes: number): number;
  end(): void;
}

const shareOf = (memoryMegabytes: number): number => Math.min(1, memoryMegabytes / oneCoreMegabytes);
const quotaOf = (memoryMegabytes: number): number => Math.round(periodMicroseconds * shareOf(memoryMegabytes));

/** The root folder of each cgroup version (1 and 2), and a function that limits the CPU share of a group. */
const versions = [
  {
    root: '/sys/fs/cgroup/cpu',
    limit: (folder: string, quota: number) => {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodMicroseconds));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
    },
  },
  {
    root: '/sys/fs/cgroup',
    limit: (folder: string, quota: number) => writeFileSync(join(folder, 'cpu.max'), `${quota} ${periodMicroseconds}`),
  },
];

function openGroups(memories: readonly number[], { root, limit }: (typeof versions)[number]): Throttle {
  const folderOf = (memory: number): string => join(root, `bench-${process.pid}-${memory}`);
  const end = () => {
    for (const memory of memories) rmdirSync(folderOf(memory));
  };
  for (const memory of memories) mkdirSync(folderOf(memory));
  try {
    for (const memory of memories) limit(folderOf(memory), quotaOf(memory));
  } catch (error) {
    end();
    throw error;
  }
  return {
    how: 'throttled by the kernel (cgroup)',
    hold: (pid, memory) => writeFileSync(join(folderOf(memory), 'cgroup.procs'), String(pid)),
    heldMs: ({ wallMs }) => wallMs,
    end,
  };
}

const computed: Throttle = {
  how: 'computed from its CPU time',
  hold: () => {},
  heldMs: ({ wallMs, cpuMs }, memory) => Math.max(wallMs, cpuMs / shareOf(memory)),
  end: () => {},
};

/**
 * Returns a throttle that uses control groups. If the machine does not permit control groups, the throttle computes the
 * time.
 */
export function openThrottle(memories: Iterable<number>): Throttle {
  for (const version of versions) {
    try {
      return openGroups([...new Set(memories)], version);
    } catch {
      // The machine does not permit this cgroup version, so try the next version.
    }
  }
  return computed;
}
