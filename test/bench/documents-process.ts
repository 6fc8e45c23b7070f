import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';
import { peakMegabytes, peakMegabytesOfChildren } from '../harness/peak-memory.ts';

/** The measurements of one function process. Times are in milliseconds, from the call to the last byte. */
export interface Measured {
  /** The time of the process's first request, without the time to start the process. */
  readonly first: number;
  /** The median time of later requests, each for a new file. */
  readonly warm: number;
  /** The time of a repeated request, which returns the stored rendition. */
  readonly again: number;
  readonly bytes: number;
  /** The total peak memory of the function's process and the converting process. */
  readonly peakMegabytes: number;
  readonly status: number;
}

interface Order {
  readonly entry: string;
  readonly uins: readonly string[];
  readonly format: string;
}

// Like Lambda, the bench runs the bundled function in a separate process.
let sent: Uint8Array[] = [];
provideStreaming(async (bytes) => {
  sent.push(bytes);
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

process.on('message', async ({ entry, uins, format }: Order) => {
  const { handler } = (await import(entry)) as { handler: (event: unknown, context: unknown) => Promise<unknown> };
  const ask = async (uin: string): Promise<number> => {
    sent = [];
    const began = performance.now();
    await handler(apiEvent({ path: { uin }, query: `doctype=birth&format=${format}` }), context);
    return performance.now() - began;
  };
  const times: number[] = [];
  for (const uin of uins) times.push(await ask(uin));
  const again = await ask(uins.at(-1) ?? '');
  const answer = Buffer.concat(sent);
  const end = answer.indexOf(Buffer.alloc(8));
  const measured: Measured = {
    first: times[0] ?? 0,
    warm: median(times.slice(1)),
    again,
    bytes: answer.length - end - 8,
    peakMegabytes: peakMegabytes() + peakMegabytesOfChildren(),
    status: JSON.parse(answer.subarray(0, end).toString()).statusCode,
  };
  process.send?.(measured);
});
