import { Fault } from '../model/faults.ts';
import { Refusal } from '../model/refusals.ts';
import type { ConversionEnd, ConversionNews, ConversionOrder } from './conversion-protocol.ts';
import { forkProcess } from './fork-process.ts';
import { limits } from './limits.ts';
import { type Patience, startPatience } from './patience.ts';
import type { Conversion } from './plan-document.ts';
import { createScratch } from './scratch-file.ts';

const tooHard = (): Refusal =>
  new Refusal(
    'conversionFailed',
    'this document cannot be converted here: it needs too much memory; ask for the format that it is stored in',
  );

interface ConvertingProcess {
  readonly pid: number | undefined;
  readonly isAlive: boolean;
  convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer[]>;
  /** Settles when nothing of it is left: no thread, no memory. */
  end(): Promise<void>;
}

/** What a conversion may take. */
export interface Bounds extends Patience {
  /** Memory: above the first, the process ends itself; above the second, it is replaced after its work. */
  readonly converterBytes: number;
  readonly restingBytes: number;
}

function startProcess(bounds: Bounds): ConvertingProcess {
  const scratch = createScratch();
  const child = forkProcess(scratch);
  let isAlive = true;
  const gone = Promise.withResolvers<void>();
  const onEnd = (): void => {
    if (isAlive) scratch.close();
    isAlive = false;
    gone.resolve();
  };
  child.once('exit', onEnd);
  child.on('error', onEnd);
  // An idle child must not keep this process alive, nor may that end while the child is at work.
  const setIdle = (isIdle: boolean): void => {
    for (const held of [child, child.channel]) isIdle ? held?.unref() : held?.ref();
  };
  setIdle(true);
  const end = (): Promise<void> => {
    setIdle(false);
    child.kill('SIGKILL');
    return gone.promise;
  };

  async function ask(order: ConversionOrder): Promise<ConversionEnd & { readonly residentBytes: number }> {
    const ended = Promise.withResolvers<ConversionEnd & { readonly residentBytes: number }>();
    const clock = startPatience(bounds, ended.reject);
    const listen = (news: ConversionNews): void => (news.is === 'page' ? clock.nextPage() : ended.resolve(news));
    child.on('message', listen as (news: unknown) => void);
    void gone.promise.then(() => ended.reject(tooHard()));
    setIdle(false);
    child.send(order, (error) => error !== null && ended.reject(tooHard()));
    try {
      return await ended.promise;
    } finally {
      clock.stop();
      child.off('message', listen);
      setIdle(true);
    }
  }

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive;
    },
    end,
    async convert(bytes, conversion) {
      let isSound = false;
      try {
        scratch.write([bytes]);
        const answer = await ask({ conversion, bytes: bytes.length, converterBytes: bounds.converterBytes });
        const isRested = answer.residentBytes <= bounds.restingBytes;
        if (answer.is === 'fault') throw new Fault(answer.fault, answer.ids);
        isSound = isRested && (answer.is === 'made' || answer.refusal !== 'conversionFailed');
        if (answer.is === 'refused') throw new Refusal(answer.refusal, answer.message);
        return scratch.read(answer.lengths);
      } finally {
        // Nothing that it began may go on: only a process that ends for certain ends all of its threads.
        if (!isSound) await end();
      }
    },
  };
}

/** Converts documents in a process of its own, one after the other. */
export interface Converter {
  /**
   * Converts a stored file as planned. Everything is done when it answers, and nothing goes on when it refuses.
   * @returns one file, or one for each page where the format holds one page
   * @throws Refusal `unconvertible` with the reason, `conversionFailed` when it ran out of time or memory, or
   *   `invalidParameter` for a page that the document lacks
   */
  convert(bytes: Uint8Array, conversion: Conversion): Promise<Buffer[]>;
  /** Starts the process before there is something to convert, where it can be started. */
  warm(): void;
  /** The process that is ready or at work, if there is one. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** A converter whose process is started when it is first needed, stays warm, and is replaced when it fails. */
export function createConverter(bounds: Bounds = limits): Converter {
  let current: ConvertingProcess | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const ready = (): ConvertingProcess => {
    if (!current?.isAlive) current = startProcess(bounds);
    return current;
  };
  const warm = (): void => {
    try {
      ready();
    } catch {
      // Whoever converts next tries again, and is told.
    }
  };
  return {
    get pid() {
      return current?.isAlive ? current.pid : undefined;
    },
    warm,
    convert(bytes, conversion) {
      const converting = turn.then(() => ready().convert(bytes, conversion));
      // Where it has failed, the next document finds a fresh process that has started meanwhile.
      turn = converting.then(warm, warm);
      return converting;
    },
    async stop() {
      await turn;
      await current?.end();
    },
  };
}
