const [width, full, empty] = [32, '█', '░'];

const defaultIntervalMs = 10_000;

/**
 * Creates a progress bar for terminals. The bar is visible from the first call to `show` until `clear` is called. On
 * other streams, prints a line every ten seconds.
 */
export function createBar(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>, intervalMs = defaultIntervalMs) {
  let line = '';
  let lastPrintAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
  const print = (): void => {
    stream.write(`${line}\n`);
    lastPrintAt = performance.now();
    timer?.refresh();
  };
  return {
    /** @param share from 0 to 1 */
    show(what: string, share: number): void {
      const filled = Math.round(Math.min(1, share) * width);
      const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
      draw(`${full.repeat(filled)}${empty.repeat(width - filled)} ${percent.padStart(5)} ${what}`);
      line = `${what} (${percent})`;
      if (stream.isTTY) return;
      if (timer === undefined) {
        // Prints a line at every interval, even if there is no progress.
        timer = setInterval(print, intervalMs).unref();
        lastPrintAt = performance.now();
      } else if (performance.now() - lastPrintAt >= intervalMs) print();
    },
    clear(): void {
      clearInterval(timer);
      timer = undefined;
      draw('');
    },
  };
}
