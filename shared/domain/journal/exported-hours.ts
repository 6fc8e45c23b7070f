import { dayMs } from '../day-ms.ts';
import { isoTime } from '../iso-time.ts';

export const hourMs = 3_600_000;
// No function runs for so long: who took the time of a row in that hour has written it, or never will.
const settledMs = 2 * hourMs;

/** An hour (UTC) as moments begin: `2026-11-22T05`. */
export const hourOf = (epochMs: number): string => isoTime(epochMs).slice(0, 13);

const startOf = (hour: string): number => Date.parse(`${hour}:00:00Z`);

/** The last hour that nothing can be added to any more: it ended two hours ago or more. */
export const lastSettled = (now: number): string => hourOf(now - settledMs - hourMs);

/** The hours from one to another, both of them too, the earliest first. */
export const hoursFrom = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, (startOf(last) - startOf(first)) / hourMs + 1) }, (_, index) =>
    hourOf(startOf(first) + index * hourMs),
  );

export const hourAfter = (hour: string): string => hourOf(startOf(hour) + hourMs);

/** When to key a row that is about a time before; undefined while the hour of that cannot have been exported. */
export const lateAt = (at: number, now: number): number | undefined => (now - at > hourMs ? now : undefined);

/** What the names of the objects of an hour begin with: `2026/11/22/05`. */
export const nameOfHour = (hour: string): string => hour.slice(0, 13).replaceAll(/[-T]/g, '/');

/** The hour of a manifest; undefined where the name is that of another object. */
export function hourOfManifest(name: string): string | undefined {
  const [, day, hour] = /^(\d{4}\/\d\d\/\d\d)\/(\d\d)\.json$/.exec(name) ?? [];
  return day === undefined ? undefined : `${day.replaceAll('/', '-')}T${hour}`;
}

// Time to mend an export that stands still, before the ledger forgets.
const marginDays = 7;

/**
 * The last hour of whose events is exported who was told of them: a week before the ledger or the journal forgets, or when half of
 * that time is over. What waits even then, by a policy of weeks, is exported as that.
 */
export function lastTold(
  now: number,
  { ledgerDays, journalDays }: { ledgerDays: number; journalDays: number },
): string {
  const kept = Math.min(ledgerDays, journalDays);
  return hourOf(now - Math.max(kept / 2, kept - marginDays) * dayMs - hourMs);
}

/** The object that says who was told of a message, by the hour of its publication (RFC 3339). */
export const eventObject = ({ messageId, publishedAt }: { messageId: string; publishedAt: string }): string =>
  `${nameOfHour(publishedAt)}/${messageId}.ndjson.gz`;

export const messageOfObject = (key: string): string => key.slice(key.lastIndexOf('/') + 1).split('.')[0] ?? '';
