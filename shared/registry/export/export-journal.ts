import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { lastSettled } from '../../domain/journal/exported-hours.ts';
import { shards } from '../../domain/journal/journal-keys.ts';
import { nameOfPart, type PartOfHour } from '../../domain/journal/parts-of-hours.ts';
import { exportHours, type Hours } from '../../exports/export-hours.ts';
import type { journalHours } from '../../storage/journal/journal-hours.ts';
import type { journalObjects } from '../../storage/journal/journal-objects.ts';

interface Exporting extends Pick<Hours, 'now' | 'days' | 'onOldest' | 'onFault'> {
  readonly journalHours: ReturnType<(typeof journalHours)['permissions']['read']>;
  readonly journalObjects: ReturnType<(typeof journalObjects)['permissions']['write']>;
  /** Characters after which a part ends with the shard that has them, before they are compressed. */
  readonly lengthOfPart?: number;
}

const mostOfPart = 16 * 1024 * 1024;
const nameOf = (hour: string, part: PartOfHour): string => `${nameOfPart(hour, part)}.ndjson.gz`;

/** Writes an hour from a shard on as one object: until that is long, the hour is whole or the time over. */
async function exportPart(hour: string, first: number, hasTime: () => boolean, exporting: Exporting) {
  const { journalHours, journalObjects, lengthOfPart = mostOfPart } = exporting;
  let [last, length, rows, unreadable] = [first, 0, 0, 0];
  async function* text() {
    for (const shard of shards.slice(first)) {
      for await (const page of journalHours.ofShard(hour, shard, exporting.onFault)) {
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
  // Only what is compressed is held in memory, and of a shard that is a few hundred megabytes at the most.
  const body = await pipeline(text, createGzip(), buffer);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const part = { first, last, told: [String(rows), String(unreadable), sha256] };
  if (rows > 0) await journalObjects.put(nameOf(hour, part), body);
  return part;
}

/** Says that an hour is whole, with which objects. */
async function conclude(hour: string, parts: readonly PartOfHour[], { journalObjects }: Exporting): Promise<number> {
  const read = parts.map((part) => {
    const [rows, unreadable, sha256] = part.told;
    return {
      key: journalObjects.keyOf(nameOf(hour, part)),
      rows: Number(rows),
      unreadable: Number(unreadable),
      sha256,
    };
  });
  const sum = (of: 'rows' | 'unreadable') => read.reduce((total, one) => total + one[of], 0);
  const objects = read.flatMap(({ key, rows, sha256 }) => (rows > 0 ? { key, rows, sha256 } : []));
  await journalObjects.putManifest(hour, { rows: sum('rows'), unreadable: sum('unreadable'), objects });
  return sum('rows');
}

/** Exports what the journal has of the hours that are over. */
export const exportJournalHours = (exporting: Exporting) =>
  exportHours({
    ...exporting,
    last: lastSettled(exporting.now()),
    toldPattern: /^\d+-\d+-[\da-f]{64}\.ndjson\.gz$/,
    begun: exporting.journalHours.begun,
    look: exporting.journalObjects.look,
    exportPart: (hour, first, hasTime) => exportPart(hour, first, hasTime, exporting),
    conclude: (hour, parts) => conclude(hour, parts, exporting),
  });
