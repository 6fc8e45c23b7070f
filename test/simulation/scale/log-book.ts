import { faultLogged } from '../../../shared/contract/log-lines.ts';
import type { Bill } from './bill.ts';

const levels = ['info', 'warn', 'error'] as const;
// What Lambda adds to each line: time, level, request id.
const frameBytes = 120;
const bytesOfGb = 2 ** 30;

/** Keeps what functions log from the terminal: it is billed, and faults are counted by what they are. */
export function logBook(bill: Bill) {
  const before = { ...console };
  const faults = new Map<string, number>();
  for (const level of levels)
    console[level] = (line: { message?: string; error?: string }) => {
      bill.request('CloudWatch Logs GB', (JSON.stringify(line).length + frameBytes) / bytesOfGb);
      if (level !== 'error' && line.message !== faultLogged) return;
      const name = `${line.message}: ${line.error}`;
      faults.set(name, (faults.get(name) ?? 0) + 1);
    };
  // What they tell CloudWatch of metrics is a line like others, to which Lambda adds nothing.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((text: string | Uint8Array, ...rest: never[]) => {
    if (!String(text).startsWith('{"_aws"')) return write(text, ...rest);
    bill.request('CloudWatch Logs GB', String(text).length / bytesOfGb);
    return true;
  }) as typeof process.stdout.write;
  // Lambda drops this level unless it is told otherwise.
  console.debug = () => {};
  return {
    faults,
    close(): void {
      Object.assign(console, before);
      process.stdout.write = write;
    },
  };
}
