import { randomUUID } from 'node:crypto';
import type { Failure, FromSandbox, Outcome, Sandbox, TakeChunk, ToSandbox } from './sandbox-protocol.ts';

/** The thread or process that a sandbox is. */
export interface Vessel {
  post(message: ToSandbox): void;
  onMessage(listener: (message: FromSandbox) => void): void;
  onError(listener: (error: Error) => void): void;
  onExit(listener: (exitCode: number | null) => void): void;
  terminate(): Promise<unknown>;
}

export interface Limits {
  /** For loading the code, and for a call; without them both may last. */
  initSeconds?: number;
  timeoutSeconds?: number;
  beforeCall?(): void | Promise<void>;
  /** Whether the call at work has mostly waited for somebody else. */
  isWaiting(): boolean;
}

// Lambda's limit of a synchronous answer.
const maxPayloadBytes = 6_291_556;

// What a function without a time limit hears of the time that is left.
const longSeconds = 86_400;

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

/** The outside of one sandbox: it passes calls in and answers out, keeps time, and notices the end. */
export function hostSandbox(vessel: Vessel, limits: Limits): Sandbox {
  let isAlive = true;
  let crash: Error | undefined;
  let requestId: string = randomUUID();
  const ready = Promise.withResolvers<Failure | undefined>();
  let finish: (outcome: Outcome) => void = () => {};
  let takeChunk: TakeChunk = async () => {};

  vessel.onMessage((message) => {
    if (message.kind === 'ready') ready.resolve(undefined);
    else if (message.kind === 'broken') ready.resolve(message.failure);
    else if (message.kind === 'chunk') void takeChunk(message.bytes).then(() => vessel.post({ kind: 'taken' }));
    else if (message.kind === 'failure') finish({ failure: message.failure });
    else finish(outcomeOf(message.payload));
  });
  vessel.onError((error) => {
    isAlive = false;
    crash = error;
  });
  vessel.onExit((exitCode) => {
    isAlive = false;
    const failure = exitFailure(crash, exitCode, requestId);
    ready.resolve(failure);
    finish({ failure });
  });

  const terminate = async () => {
    isAlive = false;
    await vessel.terminate();
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
  const initialised = ready.promise.then(async (broken) => {
    clearTimeout(initTimer);
    if (broken) await terminate();
    return broken;
  });

  return {
    ready: initialised,
    isAlive: () => isAlive,
    isHeldUp: (forMs) => calledAt !== undefined && performance.now() - calledAt >= forMs && limits.isWaiting(),
    terminate,
    async invoke(event, take = async () => {}) {
      const broken = await initialised;
      if (broken) return { failure: broken };
      requestId = randomUUID();
      takeChunk = take;
      await limits.beforeCall?.();
      calledAt = performance.now();
      const done = Promise.withResolvers<Outcome>();
      finish = done.resolve;
      if (!isAlive) finish({ failure: exitFailure(crash, 1, requestId) });
      const timer = timeLimit(limits.timeoutSeconds, (failure) => done.resolve({ failure }));
      const deadline = Date.now() + (limits.timeoutSeconds ?? longSeconds) * 1000;
      vessel.post({ kind: 'call', requestId, event, deadline });
      const outcome = await done.promise;
      clearTimeout(timer);
      calledAt = undefined;
      return outcome;
    },
  };
}
