import type { Paint } from '../console/terminal.ts';

const intervalMs = 2000;

export interface Progress {
  update(how: string): void;
  done(how: string): void;
}

export type StartProgress = (what: string) => Progress;

/** On a terminal, updates one line in place. On other streams, prints a line every two seconds and a line at the end. */
export function createProgress(stream: NodeJS.WriteStream, paint: Paint): StartProgress {
  return (what) => {
    let lastPrintAt = performance.now();
    const line = (how: string, mark: string) =>
      `${stream.isTTY ? '\r\u001b[K' : ''}  ${mark}${what}${how && ` ${how}`}`;
    const timer = setTimeout(() => update('...'), intervalMs);
    const update = (how: string): void => {
      if (!stream.isTTY && performance.now() - lastPrintAt < intervalMs) return;
      lastPrintAt = performance.now();
      stream.write(`${paint.dim(line(how, ''))}${stream.isTTY ? '' : '\n'}`);
    };
    return {
      update,
      done(how) {
        clearTimeout(timer);
        stream.write(`${line(how, '')}\n`);
      },
    };
  };
}
