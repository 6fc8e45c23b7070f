import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasExited, npmAncestors } from './npm-ancestors.ts';

export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const pollMs = 500;

// Each Ctrl-C arrives twice, because both the terminal and npm send the signal.
const duplicateMs = 500;

const noticeAfterMs = 2000;

/**
 * After a signal, or after npm has exited, calls `stop` once and then exits the process.
 * @returns a signal that aborts when the shutdown starts
 */
export function onShutdown(stop: () => Promise<void>): AbortSignal {
  const shutdown = new AbortController();
  let startedAt: number | undefined;
  const end = () => {
    if (startedAt !== undefined) {
      // A second Ctrl-C ends the process immediately.
      if (Date.now() - startedAt > duplicateMs) process.exit(130);
      return;
    }
    startedAt = Date.now();
    shutdown.abort();
    setTimeout(() => console.error('stopping ...'), noticeAfterMs);
    stop().then(
      () => process.exit(),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // Ignores errors from closed output pipes, because they must not prevent a clean shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  const ancestors = npmAncestors(process.env);
  const polling = setInterval(() => {
    if (!ancestors.some(hasExited)) return;
    clearInterval(polling);
    end();
  }, pollMs);
  polling.unref();
  return shutdown.signal;
}
