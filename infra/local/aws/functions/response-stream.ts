import { Writable } from 'node:stream';

type Streaming = (event: unknown, stream: Writable, context: unknown) => Promise<void>;

/** Stands between the JSON of status and headers and the body of a streamed answer. */
export const preludeEnd = Buffer.alloc(8);

/** The global that Lambda gives to functions which stream their answers. `take` is one chunk on its way to the caller. */
export function provideStreaming(take: (bytes: Uint8Array) => Promise<void>): void {
  const openStream = (): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        // A copy: what is posted to another thread may be part of a larger buffer.
        take(new Uint8Array(chunk)).then(() => done(), done);
      },
    });
  const awslambda = {
    streamifyResponse: (handler: Streaming) => async (event: unknown, context: unknown) => {
      const stream = openStream();
      const ended = new Promise<void>((resolve) => stream.once('close', resolve));
      await handler(event, stream, context);
      if (!stream.writableEnded) stream.end();
      await ended;
      return null;
    },
    HttpResponseStream: {
      from(stream: Writable, prelude: { statusCode: number; headers?: Record<string, string> }): Writable {
        stream.write(JSON.stringify(prelude));
        stream.write(preludeEnd);
        return stream;
      },
    },
  };
  Object.assign(globalThis, { awslambda });
}
