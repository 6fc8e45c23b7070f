import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Format } from '../../shared/model/documents/document-format.ts';
import type { RefusalName } from '../../shared/model/refusals.ts';

export type Outcome =
  | { readonly is: 'made'; readonly parts: number }
  | { readonly is: 'refused'; readonly refusal: RefusalName; readonly message: string }
  /** Anything else that was thrown: a fault of ours. */
  | { readonly is: 'fault'; readonly message: string };

export interface Converter {
  /** @param milliseconds that the conversion may take; as long as the product gives it by default */
  convert(bytes: Uint8Array, asked: Format, milliseconds?: number): Promise<Outcome>;
  /** The most memory that the process has had so far. */
  readonly peakMegabytes: number;
}

interface Reply {
  readonly outcome: Outcome;
  readonly peakMegabytes: number;
}

const nextMessage = (child: ChildProcess): Promise<Reply> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as unknown as Reply)));

/** A converter in a process of its own, one for the tests of a file. */
export function useConverter(): Converter {
  const folder = mkdtempSync(join(tmpdir(), 'converter-'));
  let child: ChildProcess | undefined;
  let ended: Promise<never> | undefined;
  let peakMegabytes = 0;
  beforeAll(() => {
    // As the function runs: with few arenas for its memory, and with nothing of the test runner's.
    const env = { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' };
    child = fork(join(import.meta.dirname, 'converter-process.ts'), { execArgv: [], env });
    ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the converter crashed: ${code ?? signal}`);
    });
    ended.catch(() => {});
  });
  afterAll(() => {
    child?.kill();
    rmSync(folder, { recursive: true });
  });
  return {
    get peakMegabytes() {
      return peakMegabytes;
    },
    async convert(bytes, asked, milliseconds) {
      if (child === undefined || child.exitCode !== null) throw new Error('the converter has crashed');
      const file = join(folder, 'document');
      writeFileSync(file, bytes);
      child.send({ file, asked, milliseconds });
      const reply = await Promise.race([nextMessage(child), ended]);
      if (reply === undefined) throw new Error('the converter has not started');
      peakMegabytes = reply.peakMegabytes;
      return reply.outcome;
    },
  };
}
