import { isGone, npmAncestors } from './npm-ancestors.ts';

const lookMs = 500;

// One Ctrl-C arrives twice: from the terminal, and from npm, which passes on its own.
const sameMs = 500;

const patienceMs = 2000;

/**
 * Calls `stop`, once, when this process is to end: at a signal, or when the npm that started it is gone.
 * The process then exits with the code that was set for it, 0 unless one was.
 * @returns aborted from then on
 */
export function whenEnding(stop: () => Promise<void>): AbortSignal {
  const ending = new AbortController();
  let since: number | undefined;
  const end = () => {
    if (since !== undefined) {
      // A second Ctrl-C does not wait.
      if (Date.now() - since > sameMs) process.exit(130);
      return;
    }
    since = Date.now();
    ending.abort();
    setTimeout(() => console.error('stopping ...'), patienceMs);
    stop().then(
      () => process.exit(),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // A reader that has gone away must not keep us from ending in good order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  const ancestors = npmAncestors(process.env);
  const looking = setInterval(() => {
    if (!ancestors.some(isGone)) return;
    clearInterval(looking);
    end();
  }, lookMs);
  looking.unref();
  return ending.signal;
}
