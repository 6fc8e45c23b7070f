import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { limits } from '../../shared/documents/conversion-limits.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { planDocument } from '../../shared/documents/plan-document.ts';
import { hostilePdfs, textPdf } from './pdf-files.ts';

// Tests run this file as a process or a thread whose converter is still working or has finished.

const work = process.argv[2];
const isIdle = work === 'idle' || work === 'unused';
const patient = { ...limits, pageMilliseconds: 600_000, totalMilliseconds: 600_000 };
if (work === 'unused') patient.restingBytes = 1;

async function own(tell: (pid: number | undefined) => void): Promise<void> {
  const converter = createConverter(patient);
  const conversion = planDocument('pdf', 'jpeg');
  if (conversion === undefined) throw new Error('no conversion is necessary');
  await converter.convert(textPdf(), conversion);
  tell(converter.pid);
  if (!isIdle) await converter.convert(hostilePdfs['a pattern of tiny tiles'], conversion);
}

if (work === 'thread' && isMainThread) {
  const thread = new Worker(import.meta.filename, { argv: [work] });
  thread.on('message', (pid) => process.send?.(pid));
  process.on('message', () => void thread.terminate());
} else if (isMainThread) {
  await own((pid) => process.send?.(pid, () => isIdle && process.disconnect?.()));
} else await own((pid) => parentPort?.postMessage(pid));
