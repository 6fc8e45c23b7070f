import { pricesOf, regions } from '../../../infra/docs/prices.ts';
import { printTable } from '../../bench/terminal.ts';
import type { Reach } from './figures.ts';
import type { ScaleResult } from './run.ts';
import { startAt } from './world.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const seconds = (ms: number | undefined): string => (ms === undefined ? 'not reached' : `${(ms / 1000).toFixed(1)} s`);
const dollars = (value: number): string => `$${value.toFixed(4)}`;
const sum = (all: readonly Reach[], of: 'due' | 'reached' | 'lost' | 'doubled'): number =>
  all.reduce((whole, one) => whole + one[of], 0);

/** The slowest of all events; undefined where one was not reached so far. */
const slowest = (all: readonly Reach[], share: keyof Reach['ms']): number | undefined =>
  all.some(({ ms }) => ms[share] === undefined) ? undefined : Math.max(...all.map(({ ms }) => ms[share] ?? 0));

function printReach({ http, ill, mail }: ScaleResult): void {
  const rows = [
    ['by http, well', http],
    ['by http, hanging or down', ill],
    ['by e-mail', mail],
  ] as const;
  printTable(
    ['subscribers', 'due', 'reached', '50 %', '99 %', '100 %'],
    rows
      .filter(([, all]) => sum(all, 'due') > 0)
      .map(([name, all]) => [
        ...[name, whole(sum(all, 'due')), whole(sum(all, 'reached'))],
        ...(['half', 'most', 'all'] as const).map((share) => seconds(slowest(all, share))),
      ]),
  );
}

function printLimits({ world: { limits, throttles } }: ScaleResult): void {
  const reached = limits.inOrder();
  if (reached.length === 0) console.log('\nNo limit was reached.');
  else {
    console.log('\nLimits, the one that is reached first on top:\n');
    const rows = reached.map(({ limit, firstAt, lastAt, times }) => [
      limit,
      seconds(firstAt - startAt),
      seconds(lastAt - startAt),
      whole(times),
    ]);
    printTable(['limit', 'first at', 'last at', 'times'], rows);
  }
  const top = [...throttles].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  if (top.length === 0) return;
  console.log('\nThrottled requests by key, the most throttled on top:\n');
  printTable(
    ['key', 'throttled'],
    top.map(([key, times]) => [key, whole(times)]),
  );
}

function printPeaks({ world: { peaks } }: ScaleResult): void {
  console.log(
    '\nThe busiest second of tables, indexes and their hottest keys (a key takes 1,000 writes and 3,000 reads):\n',
  );
  printTable(
    ['table or index', 'writes/s', 'of its hottest key', 'reads/s', 'of its hottest key', 'the key hottest in writes'],
    peaks.places().map((place) => {
      const [writes, reads] = [peaks.hottest('writes', place), peaks.hottest('reads', place)];
      const cell = (value: number | undefined) => (value === undefined ? '' : whole(value));
      return [
        ...[place, whole(peaks.ofPlace('writes', place)), cell(writes?.unitsPerSecond)],
        ...[whole(peaks.ofPlace('reads', place)), cell(reads?.unitsPerSecond), writes?.key ?? ''],
      ];
    }),
  );
}

function printFunctions({ world: { compute } }: ScaleResult): void {
  console.log(`\nFunctions (${whole(compute.mostAtWork)} at once at the most):\n`);
  printTable(
    ['function', 'runs', 'at once', 'no place at first', 'cold', 'stopped', 'mean', 'CPU a run'],
    [...compute.usage].map(([name, usage]) => [
      ...[name, ...[usage.invocations, usage.mostAtWork, usage.waited, usage.coldStarts, usage.timeouts].map(whole)],
      ...[seconds(usage.busyMs / usage.invocations), `${(usage.cpuMs / usage.invocations).toFixed(0)} ms`],
    ]),
  );
}

function printBill({ world: { bill }, publications }: ScaleResult): void {
  console.log('\nCalls of AWS:\n');
  const calls = [...bill.calls].toSorted(([, a], [, b]) => b - a);
  printTable(
    ['call', 'times'],
    calls.map(([name, times]) => [name, whole(times)]),
  );
  console.log(`\nModelled cost of ${publications.length} events, at list prices of ${pricesOf}:\n`);
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
      ['together', '', ...regions.map(total)],
    ],
  );
}

function printRest({ deadLetters, waiting, failed, subscriptions, options, world: { logs } }: ScaleResult): void {
  const list = (sizes: ReadonlyMap<string, number>) =>
    [...sizes].map(([name, size]) => `${name} ${whole(size)}`).join(', ') || 'none';
  console.log(`\nAfter ${options.minutes} minutes: in queues: ${list(waiting)}; dead letters: ${list(deadLetters)};`);
  console.log(`failed for good: ${whole(failed)}; subscriptions left: ${whole(subscriptions)}.`);
  for (const [fault, times] of [...logs.faults].toSorted(([, a], [, b]) => b - a).slice(0, 5))
    console.log(`logged as a fault: ${fault} (${whole(times)})`);
}

/** Prints what a simulation found; its last two lines are what was lost and what was doubled. */
export function printResult(result: ScaleResult): Readonly<Record<'lost' | 'doubled' | 'refused', number>> {
  const all = [...result.http, ...result.ill, ...result.mail];
  console.log('Modelled, not measured on AWS. Time from the publication of an event, the slowest event counts:\n');
  printReach(result);
  const refusals = result.publications.flatMap(({ refusal }) => refusal ?? []);
  if (refusals.length > 0)
    console.log(`\nEvents that were not taken: ${whole(refusals.length)}, the first for: ${refusals[0]}`);
  for (const print of [printLimits, printPeaks, printFunctions, printBill, printRest]) print(result);
  const [lost, doubled] = [sum(all, 'lost'), sum(all, 'doubled')];
  // Of an event that was not taken nobody is due: no loss there proves nothing.
  const meant =
    refusals.length > 0 ? ` (of the ${whole(result.publications.length - refusals.length)} events taken)` : '';
  console.log(`\nlost ${lost}${meant}\ndoubled ${doubled}${meant}`);
  return { lost, doubled, refused: refusals.length };
}
