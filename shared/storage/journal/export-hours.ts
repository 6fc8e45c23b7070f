import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { dayMs } from '../../domain/day-ms.ts';
import {
  folderOf,
  hourAfter,
  hourOf,
  hourOfManifest,
  hoursFrom,
  lastSettled,
  nameOfHour,
} from '../../domain/journal/exported-hours.ts';
import { timeOfInvocation } from '../../invocation/time-left.ts';
import type { ExportedRow, journalHours } from './journal-hours.ts';
import type { journalObjects } from './journal-objects.ts';

interface Exporting {
  readonly journalHours: ReturnType<(typeof journalHours)['permissions']['read']>;
  readonly journalObjects: ReturnType<(typeof journalObjects)['permissions']['write']>;
  readonly now: () => number;
  /** That the table keeps a row. */
  readonly days: number;
  /** Characters of an object before it is compressed; a part is held in memory. */
  readonly lengthOfPart?: number;
  readonly onHour: () => void;
}

const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const mostOfPart = 16 * 1024 * 1024;
// Another hour is begun only with so much time, which is a third of a run: one of millions of rows takes minutes.
const reserveMs = 300_000;

/** Rows as NDJSON, a part at a time, which ends with the row that makes it so long. */
async function* partsOf(pages: AsyncIterable<ExportedRow[]>, most: number) {
  let [text, rows] = ['', 0];
  for await (const page of pages) {
    for (const row of page) {
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
async function exportHour(hour: string, { journalHours, journalObjects, lengthOfPart = mostOfPart }: Exporting) {
  const name = nameOfHour(hour);
  const objects: { key: string; rows: number; sha256: string }[] = [];
  for await (const { text, rows } of partsOf(journalHours.ofHour(hour), lengthOfPart)) {
    const body = gzipSync(text);
    const part = String(objects.length).padStart(4, '0');
    const key = await journalObjects.put(`${name}-${part}.ndjson.gz`, body);
    objects.push({ key, rows, sha256: sha256(body) });
  }
  const rows = objects.reduce((sum, one) => sum + one.rows, 0);
  const manifest = `${JSON.stringify({ hour: `${hour}:00:00Z`, rows, objects }, null, 2)}\n`;
  await journalObjects.put(`${name}.json`, Buffer.from(manifest));
  return rows;
}

/** The first hour without a manifest after all that have one; with none, the first that can have rows. */
async function firstOf({ journalHours, journalObjects, now, days }: Exporting, last: string): Promise<string> {
  const oldest = now() - days * dayMs;
  for (let at = now(); at > oldest - dayMs; at -= dayMs) {
    const names = await journalObjects.names(folderOf(hourOf(at)));
    const newest = names.flatMap((name) => hourOfManifest(name) ?? []).at(-1);
    if (newest !== undefined) return hourAfter(newest);
  }
  const first = hourOf(Math.max(oldest, await journalHours.begun()));
  return first < last ? first : last;
}

/** Exports the hours that are over, in their order, while there is time; a manifest exists only of a whole hour. */
export async function exportHours(exporting: Exporting): Promise<{ hours: number; rows: number; left: number }> {
  const leftMs = timeOfInvocation();
  const last = lastSettled(exporting.now());
  const due = hoursFrom(await firstOf(exporting, last), last);
  let [hours, rows] = [0, 0];
  for (const hour of due) {
    if (leftMs() < reserveMs) break;
    rows += await exportHour(hour, exporting);
    hours++;
    exporting.onHour();
  }
  return { hours, rows, left: due.length - hours };
}
