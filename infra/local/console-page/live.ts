import type { ServerResponse } from 'node:http';

const everyMs = 1000;
const mostWatchers = 20;
// Nobody reads on: what waits to be sent would only grow.
const mostUnsentBytes = 4_000_000;

/** Tells everybody who watches how things stand, by server-sent events, once a second where that has changed. */
export function createLive(read: () => Promise<unknown>) {
  const watchers = new Set<ServerResponse>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

  function tell(text: string): void {
    for (const watcher of watchers) {
      if (watcher.writableLength > mostUnsentBytes) watcher.destroy();
      else watcher.write(text);
    }
  }

  async function look(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const told = await read().then(
      (state) => `data: ${JSON.stringify(state)}\n\n`,
      (error: unknown) => `event: trouble\ndata: ${JSON.stringify(String(error))}\n\n`,
    );
    isReading = false;
    if (told !== last) tell(told);
    last = told;
  }

  function leave(watcher: ServerResponse): void {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** How many watch: while nobody does, nothing is read. */
    watching: () => watchers.size,
    /** Answers with events until the watcher leaves. */
    watch(response: ServerResponse): void {
      if (watchers.size >= mostWatchers) {
        response.writeHead(503, { 'retry-after': '10' }).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(': watching\n\n');
      watchers.add(response);
      response.once('close', () => leave(response));
      last = '';
      timer ??= setInterval(look, everyMs);
      void look();
    },
    stop(): void {
      for (const watcher of watchers) watcher.destroy();
      clearInterval(timer);
    },
  };
}

export type Live = ReturnType<typeof createLive>;
