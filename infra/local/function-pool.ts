import { availableParallelism } from 'node:os';
import { type Outcome, type Sandbox, type SandboxSpec, startSandbox, type TakeChunk } from './sandbox.ts';

/** All sandboxes of one function: they are started on demand, stay warm, and are replaced when they die. */
export interface FunctionPool {
  readonly maxConcurrency: number;
  /** `take` gets what the function streams. */
  invoke(event: unknown, take?: TakeChunk): Promise<Outcome>;
  /** Ends every sandbox at once, as when the machine under it goes away; the next call starts a fresh one. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

// More threads that compute than there are cores only take the machine from each other, and start cold. So a function
// has as many sandboxes at once, and gets another while calls wait and one of them waits for somebody: a receiver, say.
const cores = availableParallelism();
const quickMs = 250;
const lookMs = 50;

export function createFunctionPool(
  spec: SandboxSpec,
  maxConcurrency: number,
  onLine: (line: string) => void,
): FunctionPool {
  const all = new Set<Sandbox>();
  let idle: Sandbox[] = [];
  const waiting: ((sandbox: Sandbox | undefined) => void)[] = [];
  let starting = 0;
  let growing: NodeJS.Timeout | undefined;
  let isStopped = false;

  const hand = (sandbox: Sandbox) => {
    const next = waiting.shift();
    if (next) next(sandbox);
    else if (sandbox.isAlive()) idle.push(sandbox);
    else all.delete(sandbox);
  };

  const start = async () => {
    starting += 1;
    const sandbox = startSandbox(spec, onLine);
    all.add(sandbox);
    await sandbox.ready;
    starting -= 1;
    // Where it is broken, its call hears why.
    hand(sandbox);
  };

  const grow = (most: number) => {
    while (starting < waiting.length && all.size < Math.min(most, maxConcurrency)) void start();
  };

  const look = () => {
    const heldUp = [...all].filter((sandbox) => sandbox.isHeldUp(quickMs)).length;
    grow(Math.min(all.size + 1, cores + heldUp));
    if (waiting.length > 0) return;
    clearInterval(growing);
    growing = undefined;
  };

  // As in Lambda, a call takes whichever is ready first: a sandbox that was started, or one that has become free.
  const acquire = async (): Promise<Sandbox | undefined> => {
    if (isStopped) return undefined;
    for (let sandbox = idle.pop(); sandbox; sandbox = idle.pop()) {
      if (sandbox.isAlive()) return sandbox;
      all.delete(sandbox);
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
      grow(cores);
      growing ??= setInterval(look, lookMs);
    });
  };

  const release = (sandbox: Sandbox) => {
    if (sandbox.isAlive()) return hand(sandbox);
    all.delete(sandbox);
    grow(cores);
  };

  const kill = async () => {
    idle = [];
    const sandboxes = [...all];
    all.clear();
    await Promise.all(sandboxes.map((sandbox) => sandbox.terminate()));
  };

  return {
    maxConcurrency,
    async invoke(event, take) {
      const sandbox = await acquire();
      if (!sandbox) return { failure: { errorType: 'ServiceException', errorMessage: 'the local stack has stopped' } };
      const outcome = await sandbox.invoke(JSON.stringify(event) ?? 'null', take);
      release(sandbox);
      const { failure } = outcome;
      // Lambda logs the failure of a handler too, on one line.
      if (failure && !isStopped) onLine(`ERROR Invoke Error ${JSON.stringify(failure)}`);
      return outcome;
    },
    kill,
    async stop() {
      isStopped = true;
      clearInterval(growing);
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await kill();
    },
  };
}
