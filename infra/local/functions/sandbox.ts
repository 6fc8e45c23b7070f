import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { hostSandbox } from '../aws/functions/sandbox.ts';
import type { FromSandbox, Sandbox, SandboxData, SandboxSpec, ToSandbox } from '../aws/functions/sandbox-protocol.ts';

// A thread that waits for a core counts as at work.
const heldUpShare = 0.2;

/** One worker thread with its own environment and memory limit: the local stand-in for a Lambda execution environment. */
export function startSandbox(spec: SandboxSpec, onLine: (line: string) => void): Sandbox {
  const { environment, timeoutSeconds, ...data } = spec;
  const worker = new Worker(new URL('../aws/functions/sandbox-worker.ts', import.meta.url), {
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
      isWaiting: () => worker.performance.eventLoopUtilization(since).utilization < heldUpShare,
    },
  );
}
