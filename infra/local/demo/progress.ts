import type { Paint } from '../console/terminal.ts';

const seldomMs = 2000;

/** What takes its time: said as it goes on, on a terminal in one line. */
export interface Progress {
  /** Says how far it has come. */
  at(how: string): void;
  done(how: string): void;
}

export type Begin = (what: string) => Progress;

/** Where a person watches, the line changes in its place; elsewhere there is a line each two seconds, and one at the end. */
export function createProgress(stream: NodeJS.WriteStream, paint: Paint): Begin {
  return (what) => {
    let said = performance.now();
    const line = (how: string, mark: string) =>
      `${stream.isTTY ? '\r\u001b[K' : ''}  ${mark}${what}${how && ` ${how}`}`;
    const timer = setTimeout(() => at('...'), seldomMs);
    const at = (how: string): void => {
      if (!stream.isTTY && performance.now() - said < seldomMs) return;
      said = performance.now();
      stream.write(`${paint.dim(line(how, ''))}${stream.isTTY ? '' : '\n'}`);
    };
    return {
      at,
      done(how) {
        clearTimeout(timer);
        stream.write(`${line(how, '')}\n`);
      },
    };
  };
}
