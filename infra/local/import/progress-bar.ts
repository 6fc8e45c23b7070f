const [width, full, empty] = [32, '█', '░'];

const seldomMs = 10_000;

/** A bar that fills up, redrawn in its line, from the first `show` to `clear`; where nobody watches, a line every ten seconds. */
export function createBar(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>, everyMs = seldomMs) {
  let line = '';
  let said = 0;
  let saying: NodeJS.Timeout | undefined;
  const draw = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
  const say = (): void => {
    stream.write(`${line}\n`);
    said = performance.now();
    saying?.refresh();
  };
  return {
    /** @param share from 0 to 1 */
    show(what: string, share: number): void {
      const filled = Math.round(Math.min(1, share) * width);
      const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
      draw(`${full.repeat(filled)}${empty.repeat(width - filled)} ${percent.padStart(5)} ${what}`);
      line = `${what} (${percent})`;
      if (stream.isTTY) return;
      if (saying === undefined) {
        // It says so even while nothing moves.
        saying = setInterval(say, everyMs).unref();
        said = performance.now();
      } else if (performance.now() - said >= everyMs) say();
    },
    clear(): void {
      clearInterval(saying);
      saying = undefined;
      draw('');
    },
  };
}
