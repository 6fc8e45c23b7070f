import { randomUUID } from 'node:crypto';
import { format } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { provideStreaming } from './response-stream.ts';
import type { FromSandbox, SandboxData, ToSandbox } from './sandbox.ts';

// The inside of one sandbox: what the Lambda runtime does around a handler, in its own thread and environment.

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
type Call = Extract<ToSandbox, { kind: 'call' }>;

const { entry, handlerName, functionName, functionArn, memorySize, hasJsonLogs } = workerData as SandboxData;
const port = parentPort;
if (!port) throw new Error('sandbox-worker runs as a worker thread only');

const send = (message: FromSandbox) => port.postMessage(message);

function asFailure(error: unknown) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function contextOf({ requestId, deadline }: Call) {
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn,
    memoryLimitInMB: String(memorySize),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

let chunkTaken: () => void = () => {};
provideStreaming(async (bytes) => {
  const taken = Promise.withResolvers<void>();
  chunkTaken = taken.resolve;
  send({ kind: 'chunk', bytes });
  await taken.promise;
});

let requestId: string | undefined;

async function run(handler: Handler, call: Call): Promise<void> {
  requestId = call.requestId;
  process.env._X_AMZN_TRACE_ID = `Root=1-${randomUUID()}`;
  try {
    // Events and results travel as JSON, as they do in Lambda: no undefined, no Date, no shared objects.
    const result = await handler(JSON.parse(call.event), contextOf(call));
    send({ kind: 'result', payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    send({ kind: 'failure', failure: asFailure(error) });
  }
}

/** Lambda's JSON log format: one line a call, an object as it is. */
function writeJsonLogs(): void {
  const levels = { debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...values: unknown[]) => {
      const message = values.length === 1 ? values[0] : format(...values);
      process.stdout.write(`${JSON.stringify({ level, requestId, message })}\n`);
    };
  }
}

if (hasJsonLogs) writeJsonLogs();
try {
  const module = (await import(entry)) as Record<string, Handler>;
  const handler = module[handlerName];
  if (typeof handler !== 'function') throw new Error(`${handlerName} is not a function exported by ${entry}`);
  port.on('message', (message: ToSandbox) => {
    if (message.kind === 'call') void run(handler, message);
    else chunkTaken();
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'broken', failure: asFailure(error) });
}
