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

export function createFunctionPool(
  spec: SandboxSpec,
  maxConcurrency: number,
  onLine: (line: string) => void,
): FunctionPool {
  const all = new Set<Sandbox>();
  let idle: Sandbox[] = [];
  const waiting: ((sandbox: Sandbox | undefined) => void)[] = [];
  let isStopped = false;

  const start = (): Sandbox => {
    const sandbox = startSandbox(spec, onLine);
    all.add(sandbox);
    return sandbox;
  };

  const acquire = async (): Promise<Sandbox | undefined> => {
    if (isStopped) return undefined;
    for (let sandbox = idle.pop(); sandbox; sandbox = idle.pop()) {
      if (sandbox.isAlive()) return sandbox;
      all.delete(sandbox);
    }
    if (all.size < maxConcurrency) return start();
    return new Promise((resolve) => waiting.push(resolve));
  };

  const release = (sandbox: Sandbox) => {
    if (!sandbox.isAlive()) all.delete(sandbox);
    const next = waiting.shift();
    if (next) next(isStopped ? undefined : sandbox.isAlive() ? sandbox : start());
    else if (sandbox.isAlive()) idle.push(sandbox);
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
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await kill();
    },
  };
}
