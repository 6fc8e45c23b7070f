import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../emulators/ports.ts';
import { stopIn } from './debugger.ts';
import { hostSandbox } from './sandbox.ts';
import type { FromSandbox, Sandbox, SandboxData, SandboxSpec, ToSandbox } from './sandbox-protocol.ts';

// Where debuggers look by themselves.
const usualPort = 9229;

// What Node.js says of its inspector is not the function's.
const isOfNode = (line: string): boolean =>
  /^(?:Debugger (?:listening|ending) on ws:|For help, see: https:\/\/nodejs\.org|Debugger attached\.|Waiting for the debugger to disconnect)/.test(
    line,
  );

/**
 * A sandbox for a debugger: a process that waits for one before it loads the function, stops at every call in the function's own
 * file, and has all the time in the world.
 * @param source the function's file, as the bundle's source map names it
 * @param onListening hears where a debugger can attach
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
  let letGo: (() => void) | undefined;

  const start = async () => {
    const port = await findFreePort(usualPort).catch(() => findFreePort());
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
        if (!isOfNode(line)) onLine(line);
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
        letGo?.();
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return events.emit('exit', 0);
        const exited = once(child, 'exit');
        // It may stand still in the debugger, where it hears nothing else.
        child.kill('SIGKILL');
        return exited;
      },
    },
    {
      async beforeCall() {
        letGo ??= await stopIn(source, spec.entry, address).catch(({ message }: Error) => {
          onLine(`does not stop by itself: ${message}`);
          return undefined;
        });
      },
      isWaiting: () => false,
    },
  );
}
