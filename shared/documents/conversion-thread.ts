import { parentPort } from 'node:worker_threads';
import { ClientError } from '../domain/client-errors.ts';
import { InternalError } from '../domain/internal-errors.ts';
import type { ConversionMessage, ConversionOutcome, ConversionRequest } from './conversion-protocol.ts';
import { convertPages } from './convert-pages.ts';
import { scratchDescriptor, scratchFileOf } from './scratch-file.ts';

const scratch = scratchFileOf(scratchDescriptor);
const send = (message: ConversionMessage): void => parentPort?.postMessage(message);

async function convert({ conversion, bytes }: ConversionRequest): Promise<ConversionOutcome> {
  try {
    const [document = Buffer.alloc(0)] = scratch.read([bytes]);
    const files = await convertPages(document, conversion, () => send({ is: 'page' }));
    scratch.write(files);
    return { is: 'made', lengths: files.map(({ length }) => length) };
  } catch (error) {
    if (error instanceof ClientError) return { is: 'refused', refusal: error.errorName, message: error.message };
    const kind = error instanceof Error ? error.name : typeof error;
    const { errorName: fault, ids } =
      error instanceof InternalError ? error : new InternalError('brokenConversion', { kind });
    return { is: 'fault', fault, ids };
  }
}

parentPort?.on('message', async (order: ConversionRequest) =>
  send({ ...(await convert(order)), residentBytes: process.memoryUsage.rss() }),
);
