import { Readable } from 'node:stream';

/**
 * Reads the first bytes of a stream without losing them.
 * @returns at least `count` bytes, or all there are; and the whole as a stream again
 */
export async function peek(body: Readable, count: number): Promise<{ head: Buffer; whole: Readable }> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < count) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  const stream = Readable.from(whole(), { objectMode: false });
  stream.once('close', () => body.destroy());
  return { head, whole: stream };
}
