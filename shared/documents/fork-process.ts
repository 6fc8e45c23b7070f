import { type ChildProcess, fork } from 'node:child_process';
import type { Scratch } from './scratch-file.ts';

/** Starts a process that converts by way of the scratch. @throws with the scratch closed, where it cannot be started */
export function forkProcess(scratch: Scratch): ChildProcess {
  // The bundle has the process's file beside it under its own ending.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
  try {
    return fork(new URL(`./conversion-process.${ending}`, import.meta.url), {
      execArgv: [],
      // Codecs remark on broken files; nobody reads that, and it must not get into our log.
      stdio: ['ignore', 'ignore', 'ignore', scratch.descriptor, 'ipc'],
    });
  } catch (error) {
    scratch.close();
    throw error;
  }
}
