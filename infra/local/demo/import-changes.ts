import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { buckets } from '../../../shared/contract/buckets.ts';
import type { LocalOutputs } from '../aws/template/outputs.ts';
import { importFile } from '../import/imported-file.ts';
import { placeOf } from '../import/place.ts';
import type { Change } from './life/occurrence.ts';

/**
 * Puts changes into a file where the registry takes it from, and waits for its report.
 * @throws Error where a line was refused, or none was told of
 */
export type Import = (name: string, changes: readonly Change[]) => Promise<void>;

const patienceMs = 300_000;

export function createImporter(outputs: LocalOutputs): Import {
  const place = placeOf(outputs);
  return async (name, changes) => {
    if (changes.length === 0) return;
    const body = Buffer.from(changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
    const until = performance.now() + patienceMs;
    const pause = async (): Promise<void> => {
      if (performance.now() > until) throw new Error(`the report of ${name} did not come`);
      await sleep(100);
    };
    const key = `${buckets.documents.imports}${name}.ndjson`;
    const { lines, refused } = await importFile(key, Readable.from([body]), place, { pause });
    if (refused > 0 || lines !== changes.length) {
      throw new Error(`of the ${changes.length} changes of ${name} ${lines} were read and ${refused} refused`);
    }
  };
}
