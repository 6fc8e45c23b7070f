import { Worker } from 'node:worker_threads';
import type { ConversionNews, ConversionOrder, ConversionReply } from './conversion-protocol.ts';

// The converting process. All work is done in its thread, so that this one is always free to end the process: when the memory
// is used up, and when whoever asked for the work is gone.

const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
const thread = new Worker(new URL(`./conversion-thread.${ending}`, import.meta.url));

// An orderly exit would wait for native code that may never end.
const end = (): void => void process.kill(process.pid, 'SIGKILL');
const tell = (news: ConversionNews): void => void process.send?.(news);

let watch: NodeJS.Timeout | undefined;
process.on('disconnect', end);
process.on('message', (order: ConversionOrder) => {
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > order.converterBytes) end();
  }, 20);
  thread.postMessage(order);
});
thread.on('message', (reply: ConversionReply) => {
  if (reply.is === 'page') return tell(reply);
  clearInterval(watch);
  tell({ ...reply, residentBytes: process.memoryUsage.rss() });
});
thread.on('error', end);
thread.on('exit', end);
