import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../infra/build/esbuild-options.ts';
import { median, ratio } from './figures.ts';
import { machine, printTable } from './terminal.ts';

/** A report row, with its values keyed by column title. */
export type ReportRow = Readonly<Record<string, string>>;

/** A comparison that has one figure per round. If there is no baseline, the target applies to our figures. */
export interface Comparison {
  readonly what: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly baseline?: readonly number[];
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
}

/** Formats a figure for the tables. */
export const figure = (value: number): string =>
  value < 100 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en');
const spread = (values: readonly number[]): string => `${figure(median(values))} (${figure(Math.min(...values))})`;

/** Returns the columns that show the target of a figure and whether the target was met. */
export function judge(value: number, target: Comparison['target']): ReportRow {
  if (target === undefined) return { target: '', met: '' };
  return 'atMost' in target
    ? { target: `≤ ${figure(target.atMost)}`, met: value <= target.atMost ? 'yes' : 'no' }
    : { target: `≥ ${figure(target.atLeast)}`, met: value >= target.atLeast ? 'yes' : 'no' };
}

/**
 * Returns the report row of a comparison. The row contains the medians and minima of both sides, and the median of the
 * rounds' ratios.
 */
export function comparisonRow({ what, unit, ours, baseline, target }: Comparison): ReportRow {
  const ratios = baseline?.flatMap((value, round) => (ours[round] === undefined ? [] : [ours[round] / value]));
  const judged = median(ratios ?? ours);
  return {
    measured: what,
    unit,
    ours: spread(ours),
    baseline: baseline === undefined ? '' : spread(baseline),
    ratio: ratios === undefined ? '' : ratio(judged),
    ...judge(judged, target),
  };
}

/**
 * Prints the results of a part. If nothing failed, also writes the results to `.local/bench/` for comparison with later
 * runs.
 */
export async function report(part: string, how: string, rows: readonly ReportRow[], figures: unknown): Promise<void> {
  console.log(`${how}; ${machine()}\n`);
  const head = Object.keys(rows[0] ?? {});
  printTable(
    head,
    rows.map((row) => head.map((title) => row[title] ?? '')),
  );
  if (process.exitCode) {
    console.error(`did not write .local/bench/${part}.json, because something failed`);
    return;
  }
  const folder = join(root, '.local/bench');
  await mkdir(folder, { recursive: true });
  const kept = { part, how, machine: machine(), at: new Date().toISOString(), rows, figures };
  await writeFile(join(folder, `${part}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
