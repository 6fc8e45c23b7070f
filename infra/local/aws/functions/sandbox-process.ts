import { once } from 'node:events';
import { serveCalls } from './sandbox-inside.ts';
import type { SandboxData } from './sandbox-protocol.ts';

// Runs a sandbox in its own process, because debuggers cannot attach to a thread.

process.on('disconnect', () => process.exit());
const [data] = (await once(process, 'message')) as [SandboxData];
await serveCalls(data, {
  send: (message) => process.send?.(message),
  onMessage: (listener) => process.on('message', listener),
});
