import { openSync, writeSync } from 'node:fs';
import { provideStreaming } from '../../infra/local/aws/functions/response-stream.ts';
import { answerParent } from './process.ts';

// Runs a function in its own process, and does the same work per request as the Lambda runtime does.

export interface WarmQuestion {
  readonly event: string;
  readonly times: number;
}

export interface WarmAnswer {
  /** The CPU time per request in microseconds: the sum of the user time and the system time of this process. */
  readonly cpu: number;
  readonly status: number;
}

const nowhere = openSync('/dev/null', 'w');
for (const level of ['debug', 'info', 'warn', 'error'] as const) {
  console[level] = (message: unknown) => {
    const line = { timestamp: new Date().toISOString(), level, requestId: 'request-1', message };
    writeSync(nowhere, `${JSON.stringify(line)}\n`);
  };
}

let streamed: Uint8Array[] = [];
provideStreaming(async (bytes) => {
  streamed.push(bytes);
});

const { handler } = await import(String(process.env.BENCH_ENTRY));

async function call(event: string): Promise<number> {
  streamed = [];
  const deadline = performance.now() + 29_000;
  const context = {
    awsRequestId: 'request-1',
    functionName: 'bench',
    getRemainingTimeInMillis: () => deadline - performance.now(),
  };
  const answer = JSON.stringify(await handler(JSON.parse(event), context));
  const [first] = streamed;
  const { statusCode } = JSON.parse(first === undefined ? answer : Buffer.from(first).toString());
  return statusCode;
}

answerParent<WarmQuestion, WarmAnswer>(async ({ event, times }) => {
  const before = process.cpuUsage();
  let status = 0;
  for (let time = 0; time < times; time++) {
    status = await call(event);
    if (!(status < 400)) throw new Error(`${process.env.BENCH_NAME} returned ${status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / times, status };
});
