import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type {
  Failure,
  FromSandbox,
  OnChunk,
  Outcome,
  Sandbox,
  SandboxData,
  SandboxSpec,
  ToSandbox,
} from './sandbox-protocol.ts';

// The event loop utilization below which a thread counts as waiting for I/O. A thread that waits for a CPU core counts
// as busy.
const blockedUtilization = 0.2;

const { NODE_COMPILE_CACHE } = process.env;
const cacheOfCompiledModules = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** Starts a worker thread with its own environment and memory limit, like a Lambda execution environment. */
export function startSandbox(spec: SandboxSpec, onLine: (line: string) => void): Sandbox {
  const { environment, timeoutSeconds, ...data } = spec;
  const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
    workerData: data satisfies SandboxData,
    env: { ...cacheOfCompiledModules, ...environment },
    // The Node.js flags of the parent process, such as a test runner's loaders, must not apply to the function.
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: spec.memorySize },
  });
  createInterface({ input: worker.stdout }).on('line', onLine);
  createInterface({ input: worker.stderr }).on('line', onLine);
  let since = worker.performance.eventLoopUtilization();

  return hostSandbox(
    {
      post: (message: ToSandbox) => worker.postMessage(message),
      onMessage: (listener) => worker.on('message', (message: FromSandbox) => listener(message)),
      onError: (listener) => worker.on('error', listener),
      onExit: (listener) => worker.on('exit', listener),
      terminate: () => worker.terminate(),
    },
    {
      initSeconds: 10,
      timeoutSeconds,
      beforeCall() {
        since = worker.performance.eventLoopUtilization();
      },
      isWaiting: () => worker.performance.eventLoopUtilization(since).utilization < blockedUtilization,
    },
  );
}

interface SandboxHandle {
  post(message: ToSandbox): void;
  onMessage(listener: (message: FromSandbox) => void): void;
  onError(listener: (error: Error) => void): void;
  onExit(listener: (exitCode: number | null) => void): void;
  terminate(): Promise<unknown>;
}

export interface Limits {
  /** The time limits for loading the code and for one call; undefined if unlimited. */
  initSeconds?: number;
  timeoutSeconds?: number;
  beforeCall?(): void | Promise<void>;
  isWaiting(): boolean;
}

// Lambda's limit for synchronous responses.
const maxPayloadBytes = 6_291_556;

// The remaining time that the context reports to functions without a time limit.
const unlimitedSeconds = 86_400;

function exitFailure(error: Error | undefined, exitCode: number | null, requestId: string): Failure {
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

function outcomeOf(payload: string): Outcome {
  if (Buffer.byteLength(payload) <= maxPayloadBytes) return { payload };
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`;
  return { failure: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
}

/** Sends calls to a sandbox, receives its responses, enforces its time limits and detects crashes. */
export function hostSandbox(handle: SandboxHandle, limits: Limits): Sandbox {
  let isAlive = true;
  let crash: Error | undefined;
  let requestId: string = randomUUID();
  const ready = Promise.withResolvers<Failure | undefined>();
  let complete: (outcome: Outcome) => void = () => {};
  let receiveChunk: OnChunk = async () => {};

  handle.onMessage((message) => {
    if (message.kind === 'ready') ready.resolve(undefined);
    else if (message.kind === 'broken') ready.resolve(message.failure);
    else if (message.kind === 'chunk') void receiveChunk(message.bytes).then(() => handle.post({ kind: 'taken' }));
    else if (message.kind === 'failure') complete({ failure: message.failure });
    else complete(outcomeOf(message.payload));
  });
  handle.onError((error) => {
    isAlive = false;
    crash = error;
  });
  handle.onExit((exitCode) => {
    isAlive = false;
    const failure = exitFailure(crash, exitCode, requestId);
    ready.resolve(failure);
    complete({ failure });
  });

  const terminate = async () => {
    isAlive = false;
    await handle.terminate();
  };

  const timeLimit = (seconds: number | undefined, onTimeout: (failure: Failure) => void) =>
    seconds === undefined
      ? undefined
      : setTimeout(() => {
          const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
          onTimeout({ errorType: 'Sandbox.Timedout', errorMessage });
          void terminate();
        }, seconds * 1000);

  let calledAt: number | undefined;
  const initTimer = timeLimit(limits.initSeconds, ready.resolve);
  const initialized = ready.promise.then(async (broken) => {
    clearTimeout(initTimer);
    if (broken) await terminate();
    return broken;
  });

  return {
    ready: initialized,
    isAlive: () => isAlive,
    isBlocked: (forMs) => calledAt !== undefined && performance.now() - calledAt >= forMs && limits.isWaiting(),
    terminate,
    async invoke(event, onChunk = async () => {}) {
      const broken = await initialized;
      if (broken) return { failure: broken };
      requestId = randomUUID();
      receiveChunk = onChunk;
      await limits.beforeCall?.();
      calledAt = performance.now();
      const done = Promise.withResolvers<Outcome>();
      complete = done.resolve;
      if (!isAlive) complete({ failure: exitFailure(crash, 1, requestId) });
      const timer = timeLimit(limits.timeoutSeconds, (failure) => done.resolve({ failure }));
      const deadline = Date.now() + (limits.timeoutSeconds ?? unlimitedSeconds) * 1000;
      handle.post({ kind: 'call', requestId, event, deadline });
      const outcome = await done.promise;
      clearTimeout(timer);
      calledAt = undefined;
      return outcome;
    },
  };
}
