import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Place {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

export interface Debugger {
  send<T>(method: string, params?: object): Promise<T>;
  on<T>(event: string, listener: (params: T) => void): void;
  close(): void;
}

/** Connects to a Node.js inspector. Other debuggers may be connected to the same inspector. */
export async function connectDebugger(address: string): Promise<Debugger> {
  const targets = (await (await fetch(`http://${address}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Map<string, (params: never) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(String(data));
    if (method !== undefined) listeners.get(method)?.(params as never);
    else if (error) pending.get(id)?.reject(new Error(error.message));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('the inspector has closed'));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), { once: true });
  });
  return {
    send<T>(method: string, params: object = {}) {
      const response = Promise.withResolvers<unknown>();
      lastId += 1;
      pending.set(lastId, response);
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return response.promise as Promise<T>;
    },
    on: (event, listener) => listeners.set(event, listener),
    close: () => socket.close(),
  };
}

/** Returns the zero-based numbers of the first and the last line in the bundle that come from a source file. */
function linesOf(source: string, bundle: string): [number, number] {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const lineNumbers = readFileSync(bundle, 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const entry = map.findEntry(line, text.search(/\S/));
      return 'originalSource' in entry && entry.originalSource === source && entry.generatedLine === line ? [line] : [];
    });
  return [lineNumbers[0] ?? 0, lineNumbers.at(-1) ?? 0];
}

// A breakpoint condition under which each call pauses only once, so that users can step through the code. Each call has
// its own trace id.
const isFirst =
  'globalThis.stoppedIn !== process.env._X_AMZN_TRACE_ID && !!(globalThis.stoppedIn = process.env._X_AMZN_TRACE_ID)';

/**
 * Pauses each call at the first line that it runs in the source file. At that point, the module's top-level code has
 * already run.
 * @param entry the URL of the bundle
 * @returns a function that disconnects
 */
export async function breakOnCalls(source: string, entry: string, address: string): Promise<() => void> {
  const client = await connectDebugger(address);
  const scripts = new Map<string, string>();
  client.on<{ url: string; scriptId: string }>('Debugger.scriptParsed', ({ url, scriptId }) => {
    scripts.set(url, scriptId);
  });
  await client.send('Debugger.enable');
  const scriptId = scripts.get(entry) ?? '';
  const [first, last] = linesOf(source, fileURLToPath(entry));
  const { locations } = await client.send<{ locations: Place[] }>('Debugger.getPossibleBreakpoints', {
    start: { scriptId, lineNumber: first },
    end: { scriptId, lineNumber: last + 1 },
  });
  await Promise.all(
    locations.map((location) => client.send('Debugger.setBreakpoint', { location, condition: isFirst })),
  );
  return client.close;
}
