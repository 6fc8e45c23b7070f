import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { useConverter } from '../harness/converter.ts';
import { makeDocuments, scan } from '../harness/document-files.ts';
import { hostilePdfs, textPdf } from '../harness/pdf-files.ts';
import { becomesIdle, isRunning } from '../harness/process-load.ts';

const converter = useConverter();
const { jpeg, fax } = await makeDocuments();

/** Converts a file. Returns the ID of the process that converted the file. */
async function warmed(): Promise<number> {
  expect(await converter.outcome(jpeg, 'png')).toEqual({ is: 'made', parts: 1 });
  return converter.pid ?? 0;
}

describe('an aborted conversion', async () => {
  const large = await scan(6000, 6000).png().toBuffer();
  const failed = (message: string) => ({
    is: 'refused',
    refusal: 'conversionFailed',
    message: expect.stringContaining(message),
  });

  test.each([
    ['an image, in native code', large, 'webp'],
    ['a page, in the PDF engine', hostilePdfs['a pattern of tiny tiles'], 'png'],
  ] as const)('a conversion leaves no process running after the time limit: %s', async (_what, file, format) => {
    const pid = await warmed();
    expect(await converter.outcome(file, format, 700)).toEqual(failed('takes too long'));
    expect(isRunning(pid)).toBe(false);
    expect(await becomesIdle(await warmed())).toBe(true);
  });

  test('a conversion leaves no process running after it exceeds the memory limit', async () => {
    const pid = await warmed();
    converter.bounds.converterBytes = 1;
    expect(await converter.outcome(large, 'webp')).toEqual(failed('memory'));
    converter.bounds.converterBytes = limits.converterBytes;
    expect(isRunning(pid)).toBe(false);
    expect(await becomesIdle(await warmed())).toBe(true);
  });

  test('a conversion fails if its process is killed, but the next conversion succeeds', async () => {
    const pid = await warmed();
    const converting = converter.outcome(large, 'webp');
    await sleep(50);
    process.kill(pid, 'SIGKILL');
    expect(await converting).toEqual(failed('memory'));
    await warmed();
  });

  test('a conversion succeeds in a new process if the old process stopped after its last conversion', async () => {
    const pid = await warmed();
    process.kill(pid, 'SIGKILL');
    while (converter.pid === pid) await sleep(5);
    expect(await warmed()).not.toBe(pid);
  });

  test('a conversion fails if its process cannot start, but the next conversion succeeds', async () => {
    const pid = await warmed();
    process.kill(pid, 'SIGKILL');
    while (converter.pid === pid) await sleep(5);
    const folder = process.env.TMPDIR;
    process.env.TMPDIR = join(import.meta.dirname, 'there is no such folder');
    try {
      const outcome = await converter.outcome(jpeg, 'png');
      expect(outcome).toEqual({ is: 'fault', message: expect.stringContaining('ENOENT') });
      expect(() => converter.warmUp()).not.toThrow();
    } finally {
      if (folder === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = folder;
    }
    await warmed();
  });

  test('a conversion fails if it exceeds the time limit per page', async () => {
    const { pageMilliseconds } = converter.bounds;
    expect(await converter.outcome(fax, 'png')).toEqual({ is: 'made', parts: 3 });
    converter.bounds.pageMilliseconds = 1;
    expect(await converter.outcome(fax, 'png')).toEqual(failed('takes too long'));
    converter.bounds.pageMilliseconds = pageMilliseconds;
  });
});

test('a conversion process is replaced if it uses too much memory after a conversion', async () => {
  const pid = await warmed();
  converter.bounds.restingBytes = 1;
  expect(await converter.outcome(jpeg, 'png')).toEqual({ is: 'made', parts: 1 });
  converter.bounds.restingBytes = limits.restingBytes;
  expect(isRunning(pid)).toBe(false);
  await warmed();
});

describe('the conversion process', () => {
  let owner: ChildProcess | undefined;
  afterEach(() => void owner?.kill('SIGKILL'));

  /**
   * Starts a process or thread that creates a converter and converts a file. Returns the ID of the conversion process.
   */
  async function ownedBy(kind: 'process' | 'thread' | 'idle' | 'unused'): Promise<number> {
    owner = fork(join(import.meta.dirname, '../harness/converter-owner.ts'), [kind], { execArgv: [] });
    const [pid] = await once(owner, 'message');
    return Number(pid);
  }
  async function ends(pid: number): Promise<void> {
    while (isRunning(pid)) await sleep(10);
  }

  test('the conversion process stops when its parent process stops, even during an endless conversion', async () => {
    const pid = await ownedBy('process');
    expect(isRunning(pid)).toBe(true);
    owner?.kill('SIGKILL');
    await ends(pid);
  });

  test('the conversion process stops when its parent thread ends', async () => {
    const pid = await ownedBy('thread');
    owner?.send('end');
    await ends(pid);
    expect(owner?.exitCode).toBe(null);
  });

  test.each(['idle', 'unused'] as const)('an %s process does not keep its parent process running', async (kind) => {
    const pid = await ownedBy(kind);
    const [status] = await once(owner as ChildProcess, 'exit');
    expect(status).toBe(0);
    await ends(pid);
  });

  test('the conversion process receives and returns documents of more than one megabyte', async () => {
    const picture = await scan(1200, 1200).png({ compressionLevel: 0 }).toBuffer();
    const [tiff = Buffer.alloc(0)] = await converter.files(picture, 'tiff');
    expect((await sharp(tiff).raw().toBuffer()).equals(await sharp(picture).raw().toBuffer())).toBe(true);
    expect(await converter.outcome(textPdf(), 'png')).toEqual({ is: 'made', parts: 1 });
  });
});
