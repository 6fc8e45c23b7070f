import { pricesOf, regions } from '../../../infra/docs/prices.ts';
import { printTable } from '../../bench/terminal.ts';
import type { Reach } from './figures.ts';
import type { ScaleResult } from './run.ts';
import { startAt } from './world.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const seconds = (ms: number | undefined): string => (ms === undefined ? 'not reached' : `${(ms / 1000).toFixed(1)} s`);
const dollars = (value: number): string => `$${value.toFixed(4)}`;
const sum = (all: readonly Reach[], of: 'due' | 'reached' | 'lost' | 'duplicates'): number =>
  all.reduce((whole, one) => whole + one[of], 0);

/**
 * Returns the longest time that any event took to reach the given share of its subscribers. Returns undefined if an
 * event did not reach the given share.
 */
const slowest = (all: readonly Reach[], share: keyof Reach['ms']): number | undefined =>
  all.some(({ ms }) => ms[share] === undefined) ? undefined : Math.max(...all.map(({ ms }) => ms[share] ?? 0));

function printReach({ http, failing }: ScaleResult): void {
  const rows = [
    ['healthy', http],
    ['hanging or down', failing],
  ] as const;
  printTable(
    ['subscribers', 'due', 'reached', '50 %', '99 %', '100 %'],
    rows
      .filter(([, all]) => sum(all, 'due') > 0)
      .map(([name, all]) => [
        ...[name, whole(sum(all, 'due')), whole(sum(all, 'reached'))],
        ...(['p50', 'p99', 'all'] as const).map((share) => seconds(slowest(all, share))),
      ]),
  );
}

function printLimits({ world: { limits } }: ScaleResult): void {
  const reached = limits.inOrder();
  console.log(reached.length === 0 ? '\nNo limit was reached.' : '\nReached limits, earliest first:\n');
  if (reached.length === 0) return;
  const rows = reached.map(({ limit, firstAt, lastAt, times }) => [
    ...[limit, seconds(firstAt - startAt), seconds(lastAt - startAt), whole(times)],
  ]);
  printTable(['limit', 'first at', 'last at', 'times'], rows);
}

function printBill({ world: { bill }, publications }: ScaleResult): void {
  console.log('\nAWS calls:\n');
  const calls = [...bill.calls].toSorted(([, a], [, b]) => b - a);
  printTable(
    ['call', 'times'],
    calls.map(([name, times]) => [name, whole(times)]),
  );
  console.log(`\nModelled cost of ${publications.length} events at the list prices of ${pricesOf}:\n`);
  const lines = bill.lines();
  const total = (region: (typeof regions)[number]) =>
    dollars(lines.reduce((all, line) => all + line.dollars[region], 0));
  printTable(
    ['', 'count', ...regions],
    [
      ...lines.map(({ item, count, dollars: by }) => [
        item,
        count < 100 ? count.toFixed(3) : whole(count),
        ...regions.map((region) => dollars(by[region])),
      ]),
      ['total', '', ...regions.map(total)],
    ],
  );
}

function printRest({ deadLetters, waiting, failed, options, world: { logs } }: ScaleResult): void {
  const list = (sizes: ReadonlyMap<string, number>) =>
    [...sizes].map(([name, size]) => `${name} ${whole(size)}`).join(', ') || 'none';
  console.log(`\nAfter ${options.minutes} minutes: queued: ${list(waiting)}; dead letters: ${list(deadLetters)};`);
  console.log(`failed permanently: ${whole(failed)}.`);
  for (const [fault, times] of [...logs.faults].toSorted(([, a], [, b]) => b - a).slice(0, 5))
    console.log(`logged error: ${fault} (${whole(times)})`);
}

/** Prints the results of a simulation. The last two lines contain the numbers of lost and duplicate deliveries. */
export function printResult(result: ScaleResult): Readonly<Record<'lost' | 'duplicates' | 'rejected', number>> {
  const all = [...result.http, ...result.failing];
  console.log('Modelled, not measured on AWS. Times since publication, for the slowest event:\n');
  printReach(result);
  const rejections = result.publications.flatMap(({ rejection }) => rejection ?? []);
  if (rejections.length > 0)
    console.log(`\nRejected events: ${whole(rejections.length)}. Reason of the first one: ${rejections[0]}`);
  for (const print of [printLimits, printBill, printRest]) print(result);
  const [lost, duplicates] = [sum(all, 'lost'), sum(all, 'duplicates')];
  // A rejected event has no recipients, so the number of lost deliveries does not include it.
  const suffix =
    rejections.length > 0 ? ` (of the ${whole(result.publications.length - rejections.length)} accepted events)` : '';
  console.log(`\nlost ${lost}${suffix}\nduplicate ${duplicates}${suffix}`);
  return { lost, duplicates, rejected: rejections.length };
}
