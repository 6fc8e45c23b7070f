import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buckets } from '../../../shared/contract/buckets.ts';
import type { LocalOutputs } from '../aws/template/outputs.ts';
import { importFile, targetOf } from '../import/import-file.ts';
import type { Change } from './life/occurrence.ts';

/**
 * Uploads changes as an import file, and waits for the import report.
 * @throws Error if the import rejects or omits a line
 */
export type Import = (name: string, changes: readonly Change[]) => Promise<void>;

const timeoutMs = 300_000;

export function createImporter(outputs: LocalOutputs): Import {
  const place = targetOf(outputs);
  return async (name, changes) => {
    if (changes.length === 0) return;
    const body = Buffer.from(changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
    const until = performance.now() + timeoutMs;
    const pause = async (): Promise<void> => {
      if (performance.now() > until) throw new Error(`no report for ${name} after ${timeoutMs / 1000} s`);
      await sleep(100);
    };
    const key = `${buckets.documents.imports}${name}.ndjson`;
    const { lines, rejected } = await importFile(key, Readable.from([body]), place, { pause });
    if (rejected > 0 || lines !== changes.length) {
      throw new Error(`${name} has ${changes.length} changes, but the import read ${lines} and rejected ${rejected}`);
    }
  };
}
