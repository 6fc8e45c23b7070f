import { randomUUID } from 'node:crypto';
import type { EventLoopUtilization } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

export interface SandboxData {
  entry: string;
  handlerName: string;
  functionName: string;
  functionArn: string;
  memorySize: number;
  /** LoggingConfig.LogFormat is JSON. */
  hasJsonLogs: boolean;
}

export interface SandboxSpec extends SandboxData {
  timeoutSeconds: number;
  environment: Record<string, string>;
}

export interface Failure {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** What an invocation came to: the JSON text of the handler's result, or Lambda's error object. */
export type Outcome = { payload: string; failure?: undefined } | { failure: Failure; payload?: undefined };

export type ToSandbox =
  | { kind: 'call'; requestId: string; event: string; deadline: number }
  /** The last chunk was taken: the next may come. */
  | { kind: 'taken' };
export type FromSandbox =
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'ready' }
  | { kind: 'broken'; failure: Failure }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'result'; payload: string };

export type TakeChunk = (bytes: Uint8Array) => Promise<void>;

export interface Sandbox {
  /** Settles when its code is loaded, or has failed to. */
  ready: Promise<unknown>;
  /**
   * One invocation at a time; the caller waits for the outcome before the next. What a function streams goes to `take`, chunk
   * by chunk, each once the one before is taken.
   */
  invoke(event: string, take?: TakeChunk): Promise<Outcome>;
  isAlive(): boolean;
  /** Whether it has been on its call for so long, and mostly waited for somebody else. */
  isHeldUp(forMs: number): boolean;
  terminate(): Promise<void>;
}

// Lambda's limits: initialisation, and a synchronous answer.
const initSeconds = 10;
const maxPayloadBytes = 6_291_556;

// A thread that waits for a core counts as at work.
const heldUpShare = 0.2;

function exitFailure(error: Error | undefined, exitCode: number, requestId: string): Failure {
  const outOfMemory = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (error && !outOfMemory) {
    return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
  }
  const reason = outOfMemory ? 'signal: killed (out of memory)' : `exit status ${exitCode}`;
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: ${reason}`,
  };
}

/** One worker thread with its own environment and memory limit: the local stand-in for a Lambda execution environment. */
export function startSandbox(spec: SandboxSpec, onLine: (line: string) => void): Sandbox {
  const { environment, timeoutSeconds, ...data } = spec;
  const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
    workerData: data satisfies SandboxData,
    env: environment,
    // The parent's flags (a test runner's loaders, an inspector) are not the function's.
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: spec.memorySize },
  });
  createInterface({ input: worker.stdout }).on('line', onLine);
  createInterface({ input: worker.stderr }).on('line', onLine);

  let isAlive = true;
  let crash: Error | undefined;
  let requestId: string = randomUUID();
  const ready = Promise.withResolvers<Failure | undefined>();
  let finish: (outcome: Outcome) => void = () => {};
  let takeChunk: TakeChunk = async () => {};

  worker.on('message', (message: FromSandbox) => {
    if (message.kind === 'ready') ready.resolve(undefined);
    else if (message.kind === 'broken') ready.resolve(message.failure);
    else if (message.kind === 'chunk') {
      void takeChunk(message.bytes).then(() => worker.postMessage({ kind: 'taken' } satisfies ToSandbox));
    } else if (message.kind === 'failure') finish({ failure: message.failure });
    else if (Buffer.byteLength(message.payload) <= maxPayloadBytes) finish({ payload: message.payload });
    else {
      const errorMessage = `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`;
      finish({ failure: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } });
    }
  });
  worker.on('error', (error: Error) => {
    isAlive = false;
    crash = error;
  });
  worker.on('exit', (exitCode) => {
    isAlive = false;
    const failure = exitFailure(crash, exitCode, requestId);
    ready.resolve(failure);
    finish({ failure });
  });

  const terminate = async () => {
    isAlive = false;
    await worker.terminate();
  };

  const timeLimit = (seconds: number, onTimeout: (failure: Failure) => void) =>
    setTimeout(() => {
      const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
      onTimeout({ errorType: 'Sandbox.Timedout', errorMessage });
      void terminate();
    }, seconds * 1000);

  let call: { since: number; utilization: EventLoopUtilization } | undefined;
  const initTimer = timeLimit(initSeconds, ready.resolve);
  const initialised = ready.promise.then(async (broken) => {
    clearTimeout(initTimer);
    if (broken) await terminate();
    return broken;
  });

  return {
    ready: initialised,
    isAlive: () => isAlive,
    isHeldUp(forMs) {
      if (call === undefined || performance.now() - call.since < forMs) return false;
      return worker.performance.eventLoopUtilization(call.utilization).utilization < heldUpShare;
    },
    terminate,
    async invoke(event, take = async () => {}) {
      const broken = await initialised;
      if (broken) return { failure: broken };
      requestId = randomUUID();
      takeChunk = take;
      call = { since: performance.now(), utilization: worker.performance.eventLoopUtilization() };
      const done = Promise.withResolvers<Outcome>();
      finish = done.resolve;
      if (!isAlive) finish({ failure: exitFailure(crash, 1, requestId) });
      const timer = timeLimit(timeoutSeconds, (failure) => done.resolve({ failure }));
      const deadline = Date.now() + timeoutSeconds * 1000;
      worker.postMessage({ kind: 'call', requestId, event, deadline } satisfies ToSandbox);
      const outcome = await done.promise;
      clearTimeout(timer);
      call = undefined;
      return outcome;
    },
  };
}
