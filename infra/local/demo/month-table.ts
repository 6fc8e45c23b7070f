import type { Paint } from '../console/terminal.ts';
import type { Month } from './year.ts';

const bars = [...'▁▂▃▄▅▆▇█'];

/** Draws counts as bars. The highest count has a full-height bar. */
export function sparkline(counts: readonly number[]): string {
  const top = Math.max(1, ...counts);
  return counts.map((count) => bars[Math.ceil((count / top) * (bars.length - 1))]).join('');
}

/** The delivery counts for one month. `pending` is the number of pending deliveries at the end of the month. */
export interface MonthDeliveries {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

const columns = ['births', 'deaths', 'marriages', 'others', 'events', 'delivered', 'failed', 'pending'] as const;
type Column = (typeof columns)[number];

const left = (month: string, trend: string): string => `  ${month.padEnd(11)}${trend.padEnd(12)}`;
const right = (column: Column, text: string): string => text.padStart(column.length + 2);

export const monthHeader = ({ dim }: Paint): string =>
  dim(left('month', 'days') + columns.map((column) => right(column, column)).join(''));

/** Formats a month as a row of the table. */
export function monthLine(
  name: string,
  { counts, trend }: Pick<Month, 'counts' | 'trend'>,
  deliveries: MonthDeliveries,
  paint: Paint,
): string {
  const events = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { liveBirth: births = 0, death: deaths = 0, marriage: marriages = 0 } = counts;
  const cells = { births, deaths, marriages, others: events - births - deaths - marriages, events, ...deliveries };
  const shown = columns.map((column) => {
    const text = right(column, String(cells[column]));
    const isTrouble = (column === 'failed' || column === 'pending') && cells[column] > 0;
    return isTrouble ? paint.yellow(text) : text;
  });
  return left(name, sparkline(trend)) + shown.join('');
}
