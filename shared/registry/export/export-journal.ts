import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { lastClosedHour, nameOfPart, type PartOfHour } from '../../domain/journal/exported-hours.ts';
import { shards } from '../../domain/journal/journal-keys.ts';
import type { journalObjects } from '../../storage/journal/exported-objects.ts';
import { type ExportTools, exportHours } from './export-hours.ts';

interface Exporting extends ExportTools {
  readonly days: number;
  readonly journalObjects: ReturnType<(typeof journalObjects)['permissions']['write']>;
  /** A part is complete when its shards contain more than this number of uncompressed characters. */
  readonly lengthOfPart?: number;
}

const maxPartLength = 16 * 1024 * 1024;
const nameOf = (hour: string, part: PartOfHour): string => `${nameOfPart(hour, part)}.ndjson.gz`;

/** Exports rows to one object until the object is long enough, the hour is complete or time runs out. */
async function exportPart(hour: string, first: number, hasTime: () => boolean, exporting: Exporting) {
  const { journalHours, journalObjects, lengthOfPart = maxPartLength } = exporting;
  let [last, length, rows, unreadable] = [first, 0, 0, 0];
  async function* text() {
    for (const shard of shards.slice(first)) {
      for await (const page of journalHours.ofShard(hour, shard, exporting.onError)) {
        const lines = [...page.rows, ...page.unreadable].map((row) => `${JSON.stringify(row)}\n`);
        const some = lines.join('');
        length += some.length;
        rows += lines.length;
        unreadable += page.unreadable.length;
        yield some;
      }
      last = shard;
      if (length >= lengthOfPart || !hasTime()) return;
    }
  }
  // Only compressed data is held in memory: at most a few hundred megabytes per shard.
  const body = await pipeline(text, createGzip(), buffer);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const part = { first, last, details: [String(rows), String(unreadable), sha256] };
  if (rows > 0) await journalObjects.put(nameOf(hour, part), body);
  return part;
}

async function complete(hour: string, parts: readonly PartOfHour[], { journalObjects }: Exporting): Promise<number> {
  const read = parts.map((part) => {
    const [rows, unreadable, sha256] = part.details;
    const key = journalObjects.keyOf(nameOf(hour, part));
    return { key, rows: Number(rows), unreadable: Number(unreadable), sha256 };
  });
  const sum = (of: 'rows' | 'unreadable') => read.reduce((total, one) => total + one[of], 0);
  const objects = read.flatMap(({ key, rows, sha256 }) => (rows > 0 ? { key, rows, sha256 } : []));
  await journalObjects.putManifest(hour, { rows: sum('rows'), unreadable: sum('unreadable'), objects });
  return sum('rows');
}

export const exportJournalHours = (exporting: Exporting) =>
  exportHours(exporting, {
    lastHour: lastClosedHour(exporting.now()),
    days: exporting.days,
    detailsPattern: /^\d+-\d+-[\da-f]{64}\.ndjson\.gz$/,
    list: exporting.journalObjects.list,
    exportPart: (hour, first, hasTime) => exportPart(hour, first, hasTime, exporting),
    complete: (hour, parts) => complete(hour, parts, exporting),
  });
