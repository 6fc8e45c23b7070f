import { type ChildProcess, fork } from 'node:child_process';
import { ClientError } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';
import { conversionFailed, limits, needsMemory } from './conversion-limits.ts';
import type { ConversionMessage, ConversionRequest, ConversionResult } from './conversion-protocol.ts';
import type { Conversion } from './plan-document.ts';
import { createScratchFile, type ScratchFile } from './scratch-file.ts';

const tooSlow = (): ClientError => conversionFailed('converting this document takes too long');

function forkProcess(scratch: ScratchFile): ChildProcess {
  // In the bundle, the entry file of the conversion process has the extension `mjs`.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'mjs';
  try {
    return fork(new URL(`./conversion-process.${ending}`, import.meta.url), {
      execArgv: [],
      // Discard the output: codecs write warnings about broken files, and these warnings must not reach the log.
      stdio: ['ignore', 'ignore', 'ignore', scratch.descriptor, 'ipc'],
    });
  } catch (error) {
    scratch.close();
    throw error;
  }
}

/** The limits of a conversion that the converter itself enforces. */
export type Bounds = Readonly<
  Record<'pageMilliseconds' | 'totalMilliseconds' | 'converterBytes' | 'restingBytes', number>
>;

function startProcess(bounds: Bounds) {
  const scratch = createScratchFile();
  const child = forkProcess(scratch);
  let isAlive = true;
  const exited = Promise.withResolvers<void>();
  const onEnd = (): void => {
    if (isAlive) scratch.close();
    isAlive = false;
    exited.resolve();
  };
  child.once('exit', onEnd);
  child.on('error', onEnd);
  // An idle child process must not keep this process alive. A busy child must.
  const setIdle = (isIdle: boolean): void => {
    for (const held of [child, child.channel]) isIdle ? held?.unref() : held?.ref();
  };
  setIdle(true);
  const end = (): Promise<void> => {
    setIdle(false);
    child.kill('SIGKILL');
    return exited.promise;
  };

  async function send(request: ConversionRequest): Promise<ConversionResult> {
    const ended = Promise.withResolvers<ConversionResult>();
    const stop = (): void => ended.reject(tooSlow());
    const total = setTimeout(stop, bounds.totalMilliseconds);
    let page: NodeJS.Timeout | undefined;
    const listen = (message: ConversionMessage): void => {
      clearTimeout(page);
      if (message.is === 'page') page = setTimeout(stop, bounds.pageMilliseconds);
      else ended.resolve(message);
    };
    child.on('message', listen as (message: unknown) => void);
    void exited.promise.then(() => ended.reject(needsMemory()));
    setIdle(false);
    child.send(request, (error) => error !== null && ended.reject(needsMemory()));
    try {
      return await ended.promise;
    } finally {
      clearTimeout(page);
      clearTimeout(total);
      child.off('message', listen);
      setIdle(true);
    }
  }

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive;
    },
    async convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer[]> {
      let isSound = false;
      try {
        scratch.write([bytes]);
        const result = await send({ conversion, bytes: bytes.length, converterBytes: bounds.converterBytes });
        const isRested = result.residentBytes <= bounds.restingBytes;
        if (result.is === 'fault') throw new InternalError(result.fault, result.ids);
        isSound = isRested && (result.is === 'made' || result.refusal !== 'conversionFailed');
        if (result.is === 'refused') throw new ClientError(result.refusal, result.message);
        return scratch.read(result.lengths);
      } finally {
        // Only ending the process reliably stops its threads.
        if (!isSound) await end();
      }
    },
  };
}

export function createConverter(bounds: Bounds = limits) {
  let current: ReturnType<typeof startProcess> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const ready = () => {
    if (!current?.isAlive) current = startProcess(bounds);
    return current;
  };
  const warmUp = (): void => {
    try {
      ready();
    } catch {}
  };
  return {
    get pid() {
      return current?.isAlive ? current.pid : undefined;
    },
    warmUp,
    /**
     * Converts a stored file according to the plan. After an error, no work continues in the background.
     * @returns one file, or one file per page for image formats
     * @throws ClientError `unconvertible`; `conversionFailed` if time or memory runs out; `invalidParameter` if the page
     * does not exist
     */
    convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer[]> {
      const converting = turn.then(() => ready().convert(bytes, conversion));
      turn = converting.then(warmUp, warmUp);
      return converting;
    },
  };
}

export type Converter = ReturnType<typeof createConverter>;
