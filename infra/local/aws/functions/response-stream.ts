import { Writable } from 'node:stream';

type Streaming = (event: unknown, stream: Writable, context: unknown) => Promise<void>;

/** The bytes between the JSON prelude (status and headers) and the body of a streamed response. */
export const preludeEnd = Buffer.alloc(8);

/** Defines the global object `awslambda`, which Lambda provides to functions that stream their response. */
export function provideStreaming(send: (bytes: Uint8Array) => Promise<void>): void {
  const openStream = (): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        // Copies the chunk, because it may be part of a shared buffer, which cannot be transferred to another thread.
        send(new Uint8Array(chunk)).then(() => done(), done);
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
