import { parentPort } from 'node:worker_threads';
import { Fault } from '../model/faults.ts';
import { Refusal } from '../model/refusals.ts';
import type { ConversionEnd, ConversionOrder, ConversionReply } from './conversion-protocol.ts';
import { scratchDescriptor } from './conversion-protocol.ts';
import { convertPages } from './convert-pages.ts';
import { scratchOf } from './scratch-file.ts';

// The converting thread of the converting process.

const scratch = scratchOf(scratchDescriptor);
const tell = (reply: ConversionReply): void => parentPort?.postMessage(reply);

async function answer({ conversion, bytes }: ConversionOrder): Promise<ConversionEnd> {
  try {
    const [document = Buffer.alloc(0)] = scratch.read([bytes]);
    const files = await convertPages(document, conversion, () => tell({ is: 'page' }));
    scratch.write(files);
    return { is: 'made', lengths: files.map(({ length }) => length) };
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', refusal: error.refusal, message: error.message };
    const kind = error instanceof Error ? error.name : typeof error;
    const { fault, ids } = error instanceof Fault ? error : new Fault('brokenConversion', { kind });
    return { is: 'fault', fault, ids };
  }
}

parentPort?.on('message', async (order: ConversionOrder) => tell(await answer(order)));
