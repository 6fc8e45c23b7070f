import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from './sandbox-inside.ts';
import type { SandboxData } from './sandbox-protocol.ts';

// Runs a sandbox in a worker thread with its own environment.

const port = parentPort;
if (!port) throw new Error('sandbox-worker must run in a worker thread');
await serveCalls(workerData as SandboxData, {
  send: (message) => port.postMessage(message),
  onMessage: (listener) => port.on('message', listener),
});
