import { type PricedItem, pricesOf } from '../../infra/docs/prices.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import { costOfEvent, type EventCost, type Events, millionOf } from './cost-event.ts';
import { ratio } from './figures.ts';
import { judge, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Compares the cost of an event with SNS.

/** In the case `alone`, events are 20 seconds apart, so they share no requests or function runs. */
const alone = { events: 20, rate: 0.05 };
const busy = { events: 600, rate: 100 };

interface Case extends Events {
  readonly what: string;
  /** The maximum ratio to the cost of SNS and a publishing function. */
  readonly atMost?: number;
}

const cases: readonly Case[] = [
  { what: '1, alone', subscribers: 1, ...alone },
  { what: '10, alone', subscribers: 10, ...alone, atMost: 1.4 },
  { what: '10, 100 events per second', subscribers: 10, ...busy, atMost: 1.2 },
  { what: '10, 100 events per second, a body of 4 KB', subscribers: 10, ...busy, body: '4KB' },
  { what: '1,000, alone', subscribers: 1000, ...alone, events: 5 },
  { what: '20,000, alone', subscribers: 20_000, ...alone, events: 1 },
];

/**
 * Returns the cost of publishing the same event through SNS, in dollars per million events. The cost includes API
 * Gateway, a publishing function that runs as long as our function, SNS, and data transfer.
 */
function snsMillion({ details }: EventCost, subscribers: number): number {
  const ours = (item: PricedItem, by?: string): number =>
    details.reduce((sum, one) => (one.item === item && (by ?? one.by) === one.by ? sum + one.count : sum), 0);
  return (
    millionOf('API Gateway requests', 1) +
    millionOf('CloudWatch Logs GB', accessLogBytes / 2 ** 30) +
    millionOf('SNS publishes', 1) +
    millionOf('SNS http deliveries', subscribers) +
    millionOf('data out GB', ours('data out GB')) +
    millionOf('Lambda requests', 1) +
    millionOf('Lambda GB-seconds', ours('Lambda GB-seconds', 'publishEvent'))
  );
}

function rowOf({ what, subscribers, atMost }: Case, cost: EventCost): ReportRow {
  const sns = snsMillion(cost, subscribers);
  const ofSns = cost.million / sns;
  return {
    'an event to': what,
    '$ per million': cost.million.toFixed(2),
    'SNS and a function': sns.toFixed(2),
    ratio: ratio(ofSns),
    ...judge(ofSns, atMost === undefined ? undefined : { atMost }),
  };
}

const bar = progressBar('cost', cases.length);
const rows: ReportRow[] = [];
for (const [index, one] of cases.entries()) {
  rows.push(rowOf(one, await costOfEvent(one)));
  bar.at(index + 1);
}
bar.end();
const how = `modelled from calls counted in the simulator; us-east-1, list prices of ${pricesOf}`;
await report('cost', how, rows, rows);
