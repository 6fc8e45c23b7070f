import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Place {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

/** A conversation in the Chrome DevTools Protocol with the process behind an inspector's port. */
export interface Debugger {
  send<T>(method: string, params?: object): Promise<T>;
  on<T>(event: string, listener: (params: T) => void): void;
  close(): void;
}

/** Connects to an inspector, beside whoever else is connected. */
export async function connectDebugger(address: string): Promise<Debugger> {
  const targets = (await (await fetch(`http://${address}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Map<string, (params: never) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(String(data));
    if (method !== undefined) listeners.get(method)?.(params as never);
    else if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector has closed'));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true });
  });
  return {
    send<T>(method: string, params: object = {}) {
      const answer = Promise.withResolvers<unknown>();
      last += 1;
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method, params }));
      return answer.promise as Promise<T>;
    },
    on: (event, listener) => listeners.set(event, listener),
    close: () => socket.close(),
  };
}

/** First and last line of a bundle that come from the source, counted from 0. */
function linesOf(source: string, bundle: string): [number, number] {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const own = readFileSync(bundle, 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const entry = map.findEntry(line, text.search(/\S/));
      return 'originalSource' in entry && entry.originalSource === source && entry.generatedLine === line ? [line] : [];
    });
  return [own[0] ?? 0, own.at(-1) ?? 0];
}

// True at the first place of each call, which has a trace id of its own. What stops there need not be taken away again while
// somebody steps on.
const isFirst =
  'globalThis.stoppedIn !== process.env._X_AMZN_TRACE_ID && !!(globalThis.stoppedIn = process.env._X_AMZN_TRACE_ID)';

/**
 * Makes the process stop, in each call, at the first line of the source that it comes to. What its module does when it is
 * loaded is done, so that this is in a function.
 * @param entry the bundle's address
 * @returns the way to let go
 */
export async function stopIn(source: string, entry: string, address: string): Promise<() => void> {
  const debug = await connectDebugger(address);
  const scripts = new Map<string, string>();
  debug.on<{ url: string; scriptId: string }>('Debugger.scriptParsed', ({ url, scriptId }) => {
    scripts.set(url, scriptId);
  });
  await debug.send('Debugger.enable');
  const scriptId = scripts.get(entry) ?? '';
  const [first, last] = linesOf(source, fileURLToPath(entry));
  const { locations } = await debug.send<{ locations: Place[] }>('Debugger.getPossibleBreakpoints', {
    start: { scriptId, lineNumber: first },
    end: { scriptId, lineNumber: last + 1 },
  });
  await Promise.all(
    locations.map((location) => debug.send('Debugger.setBreakpoint', { location, condition: isFirst })),
  );
  return debug.close;
}
