import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from './sandbox-inside.ts';
import type { SandboxData } from './sandbox-protocol.ts';

// A sandbox in a thread of its own, with an environment of its own.

const port = parentPort;
if (!port) throw new Error('sandbox-worker runs as a worker thread only');
await serveCalls(workerData as SandboxData, {
  send: (message) => port.postMessage(message),
  onMessage: (listener) => port.on('message', listener),
});
