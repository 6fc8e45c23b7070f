import type { Paint } from './console/terminal.ts';

const intervalMs = 2000;

export interface Progress {
  update(how: string): void;
  /** Prints a final line and ends the progress display. */
  done(how: string): void;
  /** Ends the progress display without a final line. On a terminal, removes the current line. */
  clear(): void;
}

export type StartProgress = (what: string) => Progress;

/** On a terminal, shows progress on a single line. On other streams, prints a line every two seconds. */
export function createProgress(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  paint: Pick<Paint, 'dim'>,
): StartProgress {
  const [begin, end] = stream.isTTY ? ['\r\u001b[K', ''] : ['', '\n'];
  return (what) => {
    let lastPrintAt = performance.now();
    let current: string | undefined = '...';
    const lineOf = (how: string) => `${begin}  ${what}${how && ` ${how}`}`;
    const print = (): void => {
      clearTimeout(timer);
      lastPrintAt = performance.now();
      stream.write(paint.dim(lineOf(String(current))) + end);
    };
    const timer = setTimeout(print, intervalMs);
    const finish = (lastLine: string): void => {
      clearTimeout(timer);
      current = undefined;
      stream.write(lastLine);
    };
    return {
      update(how) {
        if (current === undefined) return;
        current = how;
        if (stream.isTTY || performance.now() - lastPrintAt >= intervalMs) print();
      },
      done: (how) => finish(`${lineOf(how)}\n`),
      clear: () => finish(begin),
    };
  };
}
