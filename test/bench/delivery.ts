import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { channelSpeed } from './delivery-channel.ts';
import { endToEnd } from './delivery-end-to-end.ts';
import { fanOutSpeed } from './delivery-fan-out.ts';
import { type Comparison, comparisonRow, type Detail, report } from './report.ts';

// Deliveries, fan-out and retries, and with `--only c,d` or all, publish to receiver through the running stack.
// `npm run bench -- delivery --rounds 15 --only a,b`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '15' },
    subscribers: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'a,b,c,d' },
  },
});
const parts = new Set(values.only.split(','));
const rounds = Number(values.rounds);

/** What a part of it found: against what it is held, and what else there is to tell. */
export interface Found {
  readonly compared: readonly Comparison[];
  readonly details: readonly Detail[];
}

const pace = { perSecond: Number(values.rate), seconds: Number(values.seconds) };
const measurements: readonly (readonly [isWanted: boolean, measure: () => Promise<Found>])[] = [
  [parts.has('a'), () => channelSpeed(rounds)],
  [parts.has('b'), () => fanOutSpeed(rounds, Number(values.subscribers))],
  [parts.has('c') || parts.has('d'), () => endToEnd(parts, Math.ceil(rounds / 5), pace)],
];
const found: Found[] = [];
for (const [isWanted, measure] of measurements) {
  if (!isWanted) continue;
  try {
    found.push(await measure());
  } catch (error) {
    // What the others took minutes to measure is told all the same.
    console.error(error);
    process.exitCode = 1;
  }
}
const compared = found.flatMap((one) => one.compared);
const load = loadavg()
  .map((average) => average.toFixed(1))
  .join(', ');
await report(
  'delivery',
  `${rounds} rounds in turns; medians (and least) over them; load average ${load}`,
  compared.map(comparisonRow),
  compared,
  found.flatMap((one) => one.details),
);
