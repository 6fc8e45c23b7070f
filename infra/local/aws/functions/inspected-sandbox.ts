import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../emulators/ports.ts';
import { breakOnCalls } from './debugger.ts';
import { hostSandbox } from './sandbox.ts';
import type { FromSandbox, Sandbox, SandboxData, SandboxSpec, ToSandbox } from './sandbox-protocol.ts';

// The port that debuggers use by default.
const defaultPort = 9229;

// Messages from the Node.js inspector, which are removed from the function's log.
const inspectorMessages = [
  'Debugger listening on ws:',
  'Debugger ending on ws:',
  'For help, see: https://nodejs.org',
  'Debugger attached.',
  'Waiting for the debugger to disconnect',
];
const isInspectorLine = (line: string): boolean => inspectorMessages.some((message) => line.startsWith(message));

/**
 * Starts a sandbox process for a debugger. The process waits for a debugger before it loads the function, pauses every
 * call in the function's own file, and has no time limit.
 * @param source the path of the function's file in the bundle's source map
 * @param onListening called with the address to which a debugger can attach
 */
export function startInspectedSandbox(
  spec: SandboxSpec,
  onLine: (line: string) => void,
  { source, onListening }: { source: string; onListening: (address: string) => void },
): Sandbox {
  const { environment, timeoutSeconds: _none, ...data } = spec;
  const events = new EventEmitter();
  let child: ChildProcess | undefined;
  let address = '';
  let isEnded = false;
  let disconnect: (() => void) | undefined;

  const start = async () => {
    const port = await findFreePort(defaultPort).catch(() => findFreePort());
    if (isEnded) return;
    address = `127.0.0.1:${port}`;
    child = fork(fileURLToPath(new URL('./sandbox-process.ts', import.meta.url)), {
      env: environment,
      execArgv: [`--inspect-wait=${address}`],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (line.startsWith('Debugger listening')) onListening(address);
        if (!isInspectorLine(line)) onLine(line);
      });
    }
    child.on('message', (message) => events.emit('message', message));
    child.on('exit', (code) => events.emit('exit', code));
    child.send(data satisfies SandboxData);
  };
  start().catch((error: Error) => events.emit('failed', error));

  return hostSandbox(
    {
      post: (message: ToSandbox) => child?.send(message),
      onMessage: (listener) => events.on('message', (message: FromSandbox) => listener(message)),
      onError: (listener) => events.on('failed', listener),
      onExit: (listener) => events.on('exit', listener),
      async terminate() {
        isEnded = true;
        disconnect?.();
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return events.emit('exit', 0);
        const exited = once(child, 'exit');
        // While a process is paused in the debugger, SIGKILL is the only signal that stops it.
        child.kill('SIGKILL');
        return exited;
      },
    },
    {
      async beforeCall() {
        disconnect ??= await breakOnCalls(source, spec.entry, address).catch(({ message }: Error) => {
          onLine(`automatic breakpoints are not available: ${message}`);
          return undefined;
        });
      },
      isWaiting: () => false,
    },
  );
}
