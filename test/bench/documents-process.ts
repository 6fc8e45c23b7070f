import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';
import { peakMegabytes, peakMegabytesOfChildren } from '../harness/peak-memory.ts';

/** Milliseconds from the call to the last byte. */
export interface Measured {
  /** The process's first request, without its start. */
  readonly first: number;
  /** The median of later requests for other files. */
  readonly warm: number;
  /** The last file again, from its rendition. */
  readonly again: number;
  readonly bytes: number;
  /** Of the function's process and of the converting process. */
  readonly peakMegabytes: number;
  readonly status: number;
}

interface Order {
  readonly entry: string;
  readonly uins: readonly string[];
  readonly format: string;
}

// The bundled function in a process of its own, as Lambda runs it.
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
