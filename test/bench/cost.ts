import { pricesOf } from '../../infra/docs/prices.ts';
import { type Case, cases } from './cost-cases.ts';
import { costOfEvent, type EventCost } from './cost-event.ts';
import { snsMillion } from './cost-sns.ts';
import { ratio } from './figures.ts';
import { judge, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

const dollars = (value: number): string => value.toFixed(2);

function rowOf({ what, subscribers, atMost }: Case, cost: EventCost): ReportRow {
  const sns = snsMillion(cost, subscribers);
  const ofSns = cost.million / sns;
  return {
    'an event to': what,
    '$ per million': dollars(cost.million),
    'SNS and a function': dollars(sns),
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
