import { randomUUID } from 'node:crypto';
import { format } from 'node:util';
import { provideStreaming } from './response-stream.ts';
import type { FromSandbox, SandboxData, ToSandbox } from './sandbox-protocol.ts';

// This module runs inside a sandbox and calls handlers in the same way as the Lambda runtime.

/** Connects a sandbox (a thread or a process) to the stack. */
interface SandboxPort {
  send(message: FromSandbox): void;
  onMessage(listener: (message: ToSandbox) => void): void;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;
type Call = Extract<ToSandbox, { kind: 'call' }>;

function asFailure(error: unknown) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}

function contextOf({ requestId, deadline }: Call, { functionName, functionArn, memorySize }: SandboxData) {
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

function writeJsonLogs(requestId: () => string | undefined): void {
  const levels = { debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...values: unknown[]) => {
      const message = values.length === 1 ? values[0] : format(...values);
      process.stdout.write(`${JSON.stringify({ level, requestId: requestId(), message })}\n`);
    };
  }
}

export async function serveCalls(data: SandboxData, { send, onMessage }: SandboxPort): Promise<void> {
  let requestId: string | undefined;
  let chunkTaken: () => void = () => {};
  provideStreaming(async (bytes) => {
    const taken = Promise.withResolvers<void>();
    chunkTaken = taken.resolve;
    send({ kind: 'chunk', bytes });
    await taken.promise;
  });

  const run = async (handler: Handler, call: Call): Promise<void> => {
    requestId = call.requestId;
    process.env._X_AMZN_TRACE_ID = `Root=1-${randomUUID()}`;
    try {
      // As in Lambda, events and results are converted to JSON and back.
      const result = await handler(JSON.parse(call.event), contextOf(call, data));
      send({ kind: 'result', payload: JSON.stringify(result) ?? 'null' });
    } catch (error) {
      send({ kind: 'failure', failure: asFailure(error) });
    }
  };

  if (data.hasJsonLogs) writeJsonLogs(() => requestId);
  try {
    const module = (await import(data.entry)) as Record<string, Handler>;
    const handler = module[data.handlerName];
    if (typeof handler !== 'function')
      throw new Error(`${data.handlerName} is not a function exported by ${data.entry}`);
    onMessage((message) => {
      if (message.kind === 'call') void run(handler, message);
      else chunkTaken();
    });
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'broken', failure: asFailure(error) });
  }
}
