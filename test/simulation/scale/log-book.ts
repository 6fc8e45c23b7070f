import { internalErrorLogged } from '../../../shared/contract/log-lines.ts';
import type { Bill } from './bill.ts';

const levels = ['info', 'warn', 'error'] as const;
// The number of bytes that Lambda adds to each log line for the time, the level and the request id.
const frameBytes = 120;
const bytesOfGb = 2 ** 30;

/** Replaces the console. Bills log lines of functions instead of printing them. Counts internal errors by name. */
export function logBook(bill: Bill) {
  const before = { ...console };
  const faults = new Map<string, number>();
  for (const level of levels)
    console[level] = (line: { message?: string; error?: string }) => {
      bill.request('CloudWatch Logs GB', (JSON.stringify(line).length + frameBytes) / bytesOfGb);
      if (level !== 'error' && line.message !== internalErrorLogged) return;
      const name = `${line.message}: ${line.error}`;
      faults.set(name, (faults.get(name) ?? 0) + 1);
    };
  // Lambda adds no bytes to metrics, because metrics are written directly to stdout.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((text: string | Uint8Array, ...rest: never[]) => {
    if (!String(text).startsWith('{"_aws"')) return write(text, ...rest);
    bill.request('CloudWatch Logs GB', String(text).length / bytesOfGb);
    return true;
  }) as typeof process.stdout.write;
  // Lambda discards debug lines by default.
  console.debug = () => {};
  return {
    faults,
    close(): void {
      Object.assign(console, before);
      process.stdout.write = write;
    },
  };
}
