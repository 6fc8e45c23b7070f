import { pricesOf } from '../../infra/docs/prices.ts';
import { type Case, cases } from './cost-cases.ts';
import { costOfEvent, type EventCost, millionOf } from './cost-event.ts';
import { snsMillion } from './cost-sns.ts';
import { ratio } from './figures.ts';
import { type Detail, judge, type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

const dollars = (value: number): string => value.toFixed(2);

/** Returns a row for each item in the cost of one event. */
const linesOf = ({ details }: EventCost): ReportRow[] =>
  details
    .filter(({ item, count }) => millionOf(item, count) >= 0.005)
    .toSorted((a, b) => a.by.localeCompare(b.by) || a.call.localeCompare(b.call))
    .map(({ by, call, item, count }) => ({
      by: by === '' ? 'API Gateway' : by,
      call,
      of: item,
      'an event': Number(count.toPrecision(3)).toString(),
      '$ per million': dollars(millionOf(item, count)),
    }));

function rowOf({ what, subscribers, atMost }: Case, cost: EventCost): ReportRow {
  const sns = snsMillion(cost, subscribers);
  const out = cost.details.filter(({ item }) => item === 'data out GB');
  const bytes = out.reduce((sum, { item, count }) => sum + millionOf(item, count), 0) / subscribers;
  const [ofEvent, ofDelivery] = [
    cost.million / sns.lambda,
    cost.million / subscribers / (millionOf('SNS http deliveries', 1) + bytes),
  ];
  return {
    'an event to': what,
    '$ per million': dollars(cost.million),
    'SNS and a function': dollars(sns.lambda),
    ratio: ratio(ofEvent),
    'SNS alone': dollars(sns.service),
    'ratio ': ratio(cost.million / sns.service),
    '$ per million deliveries': dollars(cost.million / subscribers),
    'of SNS deliveries': ratio(ofDelivery),
    ...(atMost?.delivery === undefined
      ? judge(ofEvent, atMost?.event === undefined ? undefined : { atMost: atMost.event })
      : judge(ofDelivery, { atMost: atMost.delivery })),
  };
}

const bar = progressBar('cost', cases.length);
const rows: ReportRow[] = [];
const details: Detail[] = [];
for (const [index, one] of cases.entries()) {
  const cost = await costOfEvent(one);
  bar.at(index + 1);
  if (one.subscribers === 10)
    details.push({ title: `the cost of an event to ${one.what}, by item`, rows: linesOf(cost) });
  rows.push(rowOf(one, cost));
}
bar.end();
await report(
  'cost',
  `modelled from calls counted in the simulator; us-east-1, list prices of ${pricesOf}`,
  rows,
  rows,
  details,
);
