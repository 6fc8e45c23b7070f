import { loadavg } from 'node:os';
import { channelSpeed } from './delivery-channel.ts';
import { fanOutSpeed } from './delivery-fan-out.ts';
import { optionsOf } from './parts.ts';
import { type Comparison, comparisonRow, type Detail, report } from './report.ts';

// Measures deliveries and fan-out: `npm run bench -- delivery --rounds 15 --only a,b`

const { rounds, only, subscribers } = optionsOf('delivery');
const parts = new Set(only);

/** The results of one part: comparisons, and tables that show details. */
export interface Found {
  readonly compared: readonly Comparison[];
  readonly details: readonly Detail[];
}

const measurements: readonly (readonly [isWanted: boolean, measure: () => Promise<Found>])[] = [
  [parts.has('a'), () => channelSpeed(rounds)],
  [parts.has('b'), () => fanOutSpeed(rounds, subscribers)],
];
const found: Found[] = [];
for (const [isWanted, measure] of measurements) {
  if (!isWanted) continue;
  try {
    found.push(await measure());
  } catch (error) {
    // If one part fails, the other parts still report their results, because each part takes minutes.
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
  `${rounds} alternating rounds; medians (and least); load average ${load}`,
  compared.map(comparisonRow),
  compared,
  found.flatMap((one) => one.details),
);
