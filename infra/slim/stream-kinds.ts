import { Readable } from 'node:stream';

// By their names: to ask for the classes makes Node load its web streams and blobs, three milliseconds in each start.
const isNamed = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value?.constructor?.name === name;

/** What the bundler puts in place of the SDK's looking whether a body is one of the web's: those of Node's requests never are. */
export const isReadableStream = (value: unknown): boolean => isNamed(value, 'ReadableStream');
export const isBlob = (value: unknown): boolean => isNamed(value, 'Blob');

/** Whether a request cannot be made again because its body is read only once. */
export const isStreamingPayload = ({ body }: { readonly body?: unknown }): boolean =>
  body instanceof Readable || isReadableStream(body);
