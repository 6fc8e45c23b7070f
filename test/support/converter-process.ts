import { readFileSync } from 'node:fs';
import { convertDocument } from '../../shared/documents/convert.ts';
import { startDeadline } from '../../shared/documents/deadline.ts';
import { detectFormat } from '../../shared/documents/detect-format.ts';
import { planDocument } from '../../shared/documents/plan-document.ts';
import type { Format } from '../../shared/model/documents/document-format.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import type { Outcome } from './converter.ts';
import { peakMegabytes } from './peak-memory.ts';

// A process that converts and does nothing else: its memory is the converter's, and a crash is seen from outside.

interface Asked {
  readonly file: string;
  readonly asked: Format;
  readonly milliseconds?: number;
}

async function convert({ file, asked, milliseconds }: Asked): Promise<Outcome> {
  const bytes = readFileSync(file);
  const plan = planDocument(detectFormat(bytes), asked);
  if (plan.is === 'refused') return { is: 'refused', refusal: plan.refusal, message: plan.reason };
  if (plan.is === 'untouched') return { is: 'made', parts: 1 };
  try {
    return { is: 'made', parts: (await convertDocument(bytes, plan, startDeadline(Date.now, milliseconds))).length };
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', refusal: error.refusal, message: error.message };
    return { is: 'fault', message: String(error) };
  }
}

process.on('message', async (message: Asked) => {
  const outcome = await convert(message);
  process.send?.({ outcome, peakMegabytes: peakMegabytes() });
});
