import { writeSync } from 'node:fs';
import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import type { Told } from './cold-process.ts';

// Simulates one cold start in the Lambda runtime: loads the module (with top-level await) and calls the handler with
// one event. This file is bundled so that no TypeScript is parsed during the measurement. Like the Lambda runtime, this
// file does not load Node's HTTP client.

/** Starts a clock. The returned function reports the elapsed time and the CPU time of all threads, in milliseconds. */
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
const loaded = loading();

const event = JSON.parse(String(process.env.BENCH_EVENT));
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
const told: Told = { loaded, called: { ...times, status: String(status) } };
const parent = 3;
writeSync(parent, JSON.stringify(told));
process.exit();
