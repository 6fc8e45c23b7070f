import { Worker } from 'node:worker_threads';
import { Fault } from '../model/faults.ts';
import { Refusal } from '../model/refusals.ts';
import { type Deadline, tooSlow } from './deadline.ts';
import type { Raster, RendererReply, RendererRequest } from './pdf-protocol.ts';

type Pending = PromiseWithResolvers<RendererReply>;
// Each member of the union without its number: `{ do: 'close' }` of `{ id; do: 'close' }`. A plain `Omit` would keep only
// what all members share.
type Unnumbered<Request> = Request extends { id: number } ? Omit<Request, 'id'> : never;

interface RenderingThread {
  ask(request: Unnumbered<RendererRequest>): Promise<RendererReply>;
  readonly isAlive: boolean;
  discard(): void;
}

const tooBig = (reason: string): Refusal =>
  new Refusal(
    'conversionFailed',
    `this document cannot be converted here: ${reason}; ask for the format it is stored in`,
  );

function startThread(): RenderingThread {
  // The bundle has the thread's file beside it under its own ending.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
  const worker = new Worker(new URL(`./pdf-worker.${ending}`, import.meta.url), {
    execArgv: [],
    // The engine remarks on broken files; nobody reads that, and it must not get into our log.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let isAlive = true;
  const end = (error: Error): void => {
    isAlive = false;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('message', (reply: RendererReply) => {
    pending.get(reply.id)?.resolve(reply);
    pending.delete(reply.id);
    // An idle thread must not keep the process alive, nor may the process end while one is at work.
    if (pending.size === 0) worker.unref();
  });
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => end(new Error('the rendering thread ended')));
  return {
    get isAlive() {
      return isAlive;
    },
    ask(request) {
      const id = ++lastId;
      const asked: Pending = Promise.withResolvers();
      if (!isAlive) asked.reject(new Error('the rendering thread ended'));
      else {
        pending.set(id, asked);
        worker.ref();
        worker.postMessage({ ...request, id }, request.do === 'open' ? [request.bytes.buffer] : []);
      }
      return asked.promise;
    },
    discard() {
      end(tooSlow());
      // Interrupts WebAssembly too.
      gone = worker.terminate();
    },
  };
}

let thread: RenderingThread | undefined;
// Until a thread that was thrown away is gone, its memory is not free for the next.
let gone: Promise<unknown> = Promise.resolve();
// One thread, one document at a time.
let turn: Promise<unknown> = Promise.resolve();

/** A PDF that is open for rendering. Its owner must close it. */
interface OpenPdf {
  readonly pageCount: number;
  /** @throws Refusal `unconvertible` or `conversionFailed` */
  page(index: number, as?: 'page' | 'image'): Promise<Raster>;
  close(): Promise<void>;
}

/**
 * Opens a PDF in the rendering thread, once the document before it is closed. A thread that runs out of time or memory is
 * thrown away, and the next document finds a new one.
 * @throws Refusal `unconvertible` with the reason, or `conversionFailed`
 */
export async function openPdf(bytes: Uint8Array, deadline: Deadline): Promise<OpenPdf> {
  const before = turn;
  const mine = Promise.withResolvers<void>();
  turn = mine.promise;
  await before;
  await gone;
  const used = thread?.isAlive ? thread : startThread();
  thread = used;

  const ask = async (request: Unnumbered<RendererRequest>): Promise<RendererReply> => {
    try {
      const reply = await deadline.within(used.ask(request));
      if (reply.is === 'refused')
        throw new Refusal('unconvertible', `the document cannot be converted: ${reply.reason}`);
      if (reply.is === 'broken') throw tooBig(reply.reason);
      return reply;
    } catch (error) {
      const isSound = error instanceof Refusal && error.refusal === 'unconvertible';
      if (!isSound) used.discard();
      throw error instanceof Refusal ? error : tooBig('the renderer broke');
    }
  };

  try {
    // A copy of its own: the thread takes the memory over.
    const reply = await ask({ do: 'open', bytes: new Uint8Array(bytes) });
    return {
      pageCount: reply.is === 'open' ? reply.pageCount : 0,
      async page(index, as = 'page') {
        const reply = await ask({ do: 'page', index, as });
        if (reply.is !== 'page') throw new Fault('unexpectedRendering', { reply: reply.is });
        return reply.raster;
      },
      async close() {
        if (used.isAlive) await ask({ do: 'close' }).catch(() => used.discard());
        mine.resolve();
      },
    };
  } catch (error) {
    mine.resolve();
    throw error;
  }
}
