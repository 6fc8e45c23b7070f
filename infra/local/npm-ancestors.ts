import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

interface ProcessRow {
  parent: number;
  state: string;
  command: string;
}

/** Returns the state of a process; undefined if the process does not exist or cannot be read. */
function readProcess(pid: number): ProcessRow | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return { parent: Number(parent), state, command };
    }
    const row = execFileSync('ps', ['-o', 'ppid=,stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, state = '', command = ''] = row.match(/^\s*(\d+)\s+(\w)\S*\s+(.*)/) ?? [];
    return { parent: Number(parent), state, command };
  } catch {
    return undefined;
  }
}

// In a process list, npm appears as `npm start` or as `node` followed by the path of npm's script. Shells and the setup
// script can run between the npm processes, and their command lines may also contain the word npm.
const isNpm = (command: string): boolean => /^(?:\S*node\s+)?(?:\S*\/)?np[mx](?:-cli\.js)?(?:\s|$)/.test(command);
const isBetween = (command: string): boolean => /^\S*(?:sh -c|node infra\/build\/setup\.mjs) /.test(command);

/** Returns the process ids of all ancestors up to the outermost npm process; none if npm did not start this process. */
export function npmAncestors(environment: NodeJS.ProcessEnv, parent = process.ppid): number[] {
  if (environment.npm_lifecycle_event === undefined) return [];
  const chain: number[] = [];
  let upToNpm = 1;
  for (let pid = parent; pid > 1; ) {
    const row = readProcess(pid);
    if (!row || !(isNpm(row.command) || isBetween(row.command))) break;
    chain.push(pid);
    if (isNpm(row.command)) upToNpm = chain.length;
    pid = row.parent;
  }
  return chain.length === 0 ? [parent] : chain.slice(0, upToNpm);
}

export function hasExited(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // A process that has exited is a zombie (`Z`) until its parent process reads the exit code.
  return existsSync('/proc/self/stat') && readProcess(pid)?.state === 'Z';
}
