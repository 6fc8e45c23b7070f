/**
 * Creates functions that colour text on terminals, unless NO_COLOR is set (https://no-color.org).
 */
export function createPaint(stream: Pick<NodeJS.WriteStream, 'isTTY'>, environment: NodeJS.ProcessEnv) {
  const hasColour = stream.isTTY && !environment.NO_COLOR;
  const paint = (code: number) => (text: string) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33) };
}

export type Paint = ReturnType<typeof createPaint>;
