import { Worker } from 'node:worker_threads';
import type { ConversionMessage, ConversionRequest } from './conversion-protocol.ts';

// The conversion process. A worker thread does all the work, so the main thread can always kill the process if memory
// runs out or the parent process exits.

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
const thread = new Worker(new URL(`./conversion-thread.${ending}`, import.meta.url));

// Kill the process, because a normal exit would wait for native code that may never finish.
const end = (): void => void process.kill(process.pid, 'SIGKILL');

let watch: NodeJS.Timeout | undefined;
process.on('disconnect', end);
process.on('message', (order: ConversionRequest) => {
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > order.converterBytes) end();
  }, 20);
  thread.postMessage(order);
});
thread.on('message', (message: ConversionMessage) => {
  if (message.is !== 'page') clearInterval(watch);
  process.send?.(message);
});
thread.on('error', end);
thread.on('exit', end);
