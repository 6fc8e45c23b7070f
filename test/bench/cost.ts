import { pricesOf } from '../../infra/docs/prices.ts';
import { alone, type Case, cases, changes } from './cost-cases.ts';
import { costOfEvent, type EventCost, type Events, millionOf } from './cost-event.ts';
import { idleMonth } from './cost-idle.ts';
import { snsMillion } from './cost-sns.ts';
import { ratio } from './figures.ts';
import { startHelper } from './process.ts';
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

/** Measures in a separate process, because a process reads its settings only once. */
async function apart(events: Events): Promise<number> {
  const helper = startHelper<Events, number>(new URL('./cost-apart.ts', import.meta.url));
  try {
    return await helper.ask(events);
  } finally {
    await helper.stop();
  }
}

async function changeRow({ what, ...given }: (typeof changes)[number]): Promise<ReportRow> {
  const ten = await apart({ subscribers: 10, ...alone, events: 10, ...given });
  const thousand = await apart({ subscribers: 1000, ...alone, events: 2, ...given });
  return { changed: what, '$ per million, to 10': dollars(ten), '$ per million, to 1,000': dollars(thousand) };
}

const bar = progressBar('cost', cases.length + changes.length + 1);
let done = 0;
const next = () => {
  done += 1;
  bar.at(done);
};

const rows: ReportRow[] = [];
const details: Detail[] = [];
for (const one of cases) {
  const cost = await costOfEvent(one);
  next();
  if (one.subscribers === 10)
    details.push({ title: `the cost of an event to ${one.what}, by item`, rows: linesOf(cost) });
  rows.push(rowOf(one, cost));
}
const changed: ReportRow[] = [];
for (const one of changes) {
  changed.push(await changeRow(one));
  next();
}
details.push({ title: 'the effect of settings and lanes on the cost of an event', rows: changed });
details.push({ title: 'the cost of the stage `dev` in a month without requests', rows: await idleMonth('dev') });
bar.end();
await report(
  'cost',
  `modelled from calls counted in the simulator; us-east-1, list prices of ${pricesOf}`,
  rows,
  rows,
  details,
);
