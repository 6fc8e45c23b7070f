import { Worker } from 'node:worker_threads';
import type { ConversionRequest, ProcessMessage, ThreadMessage } from './conversion-protocol.ts';

// The conversion process. A worker thread does all the work, so the main thread can always kill the process if memory
// runs out or the parent process exits.

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
const thread = new Worker(new URL(`./conversion-thread.${ending}`, import.meta.url));

// Kill the process, because a normal exit would wait for native code that may never finish.
const end = (): void => void process.kill(process.pid, 'SIGKILL');
const send = (message: ProcessMessage): void => void process.send?.(message);

let watch: NodeJS.Timeout | undefined;
process.on('disconnect', end);
process.on('message', (order: ConversionRequest) => {
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > order.converterBytes) end();
  }, 20);
  thread.postMessage(order);
});
thread.on('message', (reply: ThreadMessage) => {
  if (reply.is === 'page') return send(reply);
  clearInterval(watch);
  send({ ...reply, residentBytes: process.memoryUsage.rss() });
});
thread.on('error', end);
thread.on('exit', end);
