import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { lastSettled, nameOfHour } from '../../domain/journal/exported-hours.ts';
import { exportHours, type Hours } from './export-hours.ts';
import type { journalHours } from './journal-hours.ts';
import type { journalObjects } from './journal-objects.ts';

interface Exporting extends Pick<Hours, 'now' | 'days' | 'onOldest' | 'onFault'> {
  readonly journalHours: ReturnType<(typeof journalHours)['permissions']['read']>;
  readonly journalObjects: ReturnType<(typeof journalObjects)['permissions']['write']>;
  /** Characters of an object before it is compressed; a part is held in memory. */
  readonly lengthOfPart?: number;
}

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const mostOfPart = 16 * 1024 * 1024;

/** Rows as NDJSON, a part at a time, which ends with the row that makes it so long. */
async function* partsOf(pages: ReturnType<Exporting['journalHours']['ofHour']>, most: number) {
  let [text, rows] = ['', 0];
  for await (const page of pages) {
    for (const row of [...page.rows, ...page.unreadable]) {
      text += `${JSON.stringify(row)}\n`;
      rows++;
      if (text.length < most) continue;
      yield { text, rows };
      [text, rows] = ['', 0];
    }
  }
  if (rows > 0) yield { text, rows };
}

/** Writes an hour: its rows, and then a manifest that says which objects there are. Done again it writes the same. */
async function exportHour(hour: string, exporting: Exporting): Promise<number> {
  const { journalHours, journalObjects, lengthOfPart = mostOfPart } = exporting;
  const name = nameOfHour(hour);
  let unreadable = 0;
  const onFault = (error: unknown): void => {
    unreadable++;
    exporting.onFault(error);
  };
  const objects: { key: string; rows: number; sha256: string }[] = [];
  for await (const { text, rows } of partsOf(journalHours.ofHour(hour, onFault), lengthOfPart)) {
    const body = gzipSync(text);
    const part = String(objects.length).padStart(4, '0');
    const key = await journalObjects.put(`${name}-${part}.ndjson.gz`, body);
    objects.push({ key, rows, sha256: sha256(body) });
  }
  const rows = objects.reduce((sum, one) => sum + one.rows, 0);
  const manifest = `${JSON.stringify({ hour: `${hour}:00:00Z`, rows, unreadable, objects }, null, 2)}\n`;
  await journalObjects.put(`${name}.json`, Buffer.from(manifest));
  return rows;
}

/** Exports what the journal has of the hours that are over. */
export const exportJournalHours = (exporting: Exporting) =>
  exportHours({
    ...exporting,
    last: lastSettled(exporting.now()),
    begun: exporting.journalHours.begun,
    look: exporting.journalObjects.look,
    exportHour: (hour) => exportHour(hour, exporting),
  });
