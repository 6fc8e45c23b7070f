import { readSync, writeSync } from 'node:fs';
import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import type { Called, Loaded } from './cold-process.ts';

// Does what Lambda's runtime does for one cold start: loads the module (with top-level await), reads one event and
// calls the handler. This file is bundled, so that no TypeScript is parsed during the measurement. Like Lambda's
// runtime, it does not load Node's HTTP client, so the measured function must load the client itself.

const parent = 3;
const tell = (what: Loaded | Called) => writeSync(parent, `${JSON.stringify(what)}\n`);

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Reads standard input and returns the number of bytes, or 0 at the end of the input. Blocks the process, because
 * Lambda freezes functions between calls.
 */
function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function awaitEvent(): unknown {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(65_536);
  for (let count = readSome(chunk); count > 0; count = readSome(chunk)) {
    chunks.push(Buffer.from(chunk.subarray(0, count)));
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Starts a clock and returns a function that reads it: elapsed milliseconds, and CPU milliseconds of all threads. */
function clock() {
  const [at, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - at, cpuMs: (user + system) / 1000 };
  };
}

let streamed = Buffer.alloc(0);
provideStreaming(async (bytes) => {
  streamed = Buffer.concat([streamed, bytes]);
});

const loading = clock();
const { handler } = await import(String(process.env.BENCH_ENTRY));
tell(loading());

const event = awaitEvent();
const context = {
  awsRequestId: '8f1e2a3b-0000-4000-8000-000000000000',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
  memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  getRemainingTimeInMillis: () => 10_000,
};
const calling = clock();
const answer = await handler(event, context).catch((error: Error) => ({ statusCode: error.message }));
const times = calling();
const status =
  answer?.statusCode ?? (streamed.length > 0 ? JSON.parse(streamed.toString().split('\0')[0] ?? '').statusCode : '');
tell({ ...times, status: String(status) });
process.exit();
