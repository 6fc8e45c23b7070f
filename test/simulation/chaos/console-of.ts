import { faultLogged } from '../../../shared/contract/log-lines.ts';
import { copyAtWork } from '../lambda/platform.ts';
import type { History } from './history.ts';

const { info, error, debug } = console;

/** Hears what functions log in place of the console: faults of ours are noted with the run that logged them. */
export function hearConsole(history: () => History | undefined): () => void {
  console.info = () => {};
  console.debug = () => {};
  console.error = (line: { message?: string; error?: string; reason?: string }) => {
    if (copyAtWork() === undefined) return error(line);
    if (line.message !== faultLogged) return;
    const run = history()?.runOf(copyAtWork());
    run?.logged.push(`${line.error} ${line.reason ?? ''} ${JSON.stringify(line)}`);
  };
  return () => Object.assign(console, { info, error, debug });
}
