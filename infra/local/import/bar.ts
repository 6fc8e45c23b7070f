const [width, full, empty] = [32, '█', '░'];

/** A bar that fills up, redrawn in its line; nothing where nobody watches. */
export function createBar(stream: NodeJS.WriteStream) {
  const draw = (line: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
  };
  return {
    /** @param share from 0 to 1 */
    show(what: string, share: number): void {
      const filled = Math.round(Math.min(1, share) * width);
      const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
      draw(`${full.repeat(filled)}${empty.repeat(width - filled)} ${percent.padStart(5)} ${what}`);
    },
    clear: (): void => draw(''),
  };
}
