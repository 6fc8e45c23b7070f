import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

interface ProcessRow {
  parent: number;
  /** One letter; Z is a process that has ended and that nobody has asked about yet. */
  state: string;
  command: string;
}

/** What the system knows of a process; undefined where there is none of this number, or no way to ask. */
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

// npm calls itself `npm start`, or is node with npm's file; the text of a shell's command may speak of npm, too.
const isNpm = (command: string): boolean => /^(?:\S*node\s+)?(?:\S*\/)?np[mx](?:-cli\.js)?(?:\s|$)/.test(command);
const isScriptShell = (command: string): boolean => /^\S*sh -c /.test(command);

/**
 * The processes from our parent up to the npm that was called first: npm may call npm, with shells between them. None
 * where npm did not start us, for then nobody has to live for us to go on.
 */
export function npmAncestors(environment: NodeJS.ProcessEnv, parent = process.ppid): number[] {
  if (environment.npm_lifecycle_event === undefined) return [];
  const chain: number[] = [];
  let upToNpm = 1;
  for (let pid = parent; pid > 1; ) {
    const row = readProcess(pid);
    if (!row || !(isNpm(row.command) || isScriptShell(row.command))) break;
    chain.push(pid);
    if (isNpm(row.command)) upToNpm = chain.length;
    pid = row.parent;
  }
  return chain.length === 0 ? [parent] : chain.slice(0, upToNpm);
}

/** Whether the process has ended. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // Where its own parent does not ask for its end, the number stays taken.
  return existsSync('/proc/self/stat') && readProcess(pid)?.state === 'Z';
}
