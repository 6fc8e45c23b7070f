import { writeFile } from 'node:fs/promises';
import { pricesOf } from '../../infra/docs/prices.ts';
import { readCommand } from '../../infra/operate/command-line.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { costOfAuthorizer } from './cost-authorizer.ts';
import type { WorkCost } from './cost-dollars.ts';
import { costOfEvent, millionOf } from './cost-event.ts';
import type { ExportCosts } from './cost-exports.ts';
import { clockMonth, idleMonth } from './cost-idle.ts';
import { costOfImports } from './cost-imports.ts';
import { costOfOperations, type OperationCost } from './cost-operations.ts';
import { stageOfYear, yearOfCountry } from './cost-year.ts';
import { startHelper } from './process.ts';

// `npm run cost` measures the cost of operations, events and all other work. The command writes CSV files.

const usage =
  'npm run cost\n\nMeasures the cost of operations, events and other work in the simulator. Writes\noperation-costs.csv, work-costs.csv and country-costs.csv in infra/docs. Takes a few minutes.';
readCommand({}, usage, 'npm run cost -- --help');

const dollars = (value: number): string => value.toFixed(2);
// Events are 20 seconds apart, so they share no requests or function runs.
const eventTo = async (subscribers: number, events: number) =>
  (await costOfEvent({ subscribers, events, rate: 0.05 })).million;

const say = (what: string): void => console.error(`counting calls in the simulator: ${what} ...`);

/** Measures exports in a separate process, because exports need different settings. */
async function costOfExports(): Promise<ExportCosts> {
  const helper = startHelper<object, ExportCosts>(new URL('cost-exports.ts', import.meta.url));
  try {
    return await helper.ask({});
  } finally {
    await helper.stop();
  }
}

say('operations');
const authorizing = 'for a token that API Gateway has not cached';
const operations: OperationCost[] = [
  ...(await costOfOperations()),
  { operation: authorizer.name, of: authorizing, ...(await costOfAuthorizer()) },
];
say('events');
const [one, ten, thousand] = [await eventTo(1, 20), await eventTo(10, 20), await eventTo(1000, 3)];
const delivery = thousand / 1000 / 1e6;
const yearOf = (perDelivery: number): number => perDelivery * 365 * 1000;
say('imports');
const imports = await costOfImports();
say('journal exports');
const exports = await costOfExports();
say('a month without requests');
const clock = [...(await clockMonth()), ...exports.idle].filter(([, month]) => month >= 0.005);
const idleOf = async (stage: string): Promise<number> =>
  exports.idle.reduce((sum, [, month]) => sum + month, await idleMonth(stage));
const idle = await idleOf('dev');

const work: WorkCost[] = [
  { what: 'a million `publishEvent` requests, each delivered to one subscriber by http', dollars: one },
  { what: 'a million `publishEvent` requests, each delivered to ten subscribers by http', dollars: ten },
  { what: 'a million `publishEvent` requests, each delivered to a thousand subscribers by http', dollars: thousand },
  {
    what: 'http deliveries of one event a day to a thousand subscribers, for a year',
    dollars: yearOf(delivery),
  },
  {
    what: 'email deliveries of one event a day to a thousand subscribers, for a year',
    dollars: yearOf(delivery + millionOf('SES mails', 1) / 1e6),
  },
  ...imports.work,
  ...Object.values(exports.work),
  { what: 'a month of the stage `dev` without requests', dollars: idle },
  ...clock.map(([job, month]) => ({ what: `of which the job \`${job}\``, dollars: month })),
];

const year = yearOfCountry({
  ...{ operations, toTen: ten, imports, exports },
  idleMonth: await idleOf(stageOfYear),
});
const dollarsAt = `dollars, us-east-1, list prices of ${pricesOf}`;
const rowsOf = (rows: readonly WorkCost[]) => rows.map((row) => [row.what, dollars(row.dollars)]);

const files = {
  'operation-costs.csv': [
    ['a million', 'which', 'DynamoDB calls', 'S3 calls', 'ms', 'KB returned', dollarsAt],
    ...operations.map(({ operation, of, dynamodb, s3, milliseconds, kilobytes, million }) => [
      ...[operation, of, ...[dynamodb, s3, milliseconds, kilobytes].map((count) => String(Math.round(count)))],
      dollars(million),
    ]),
  ],
  'work-costs.csv': [['what', dollarsAt], ...rowsOf(work)],
  'country-costs.csv': [[year.of, dollarsAt], ...rowsOf(year.rows), ['together', dollars(year.together)]],
};

const csvCell = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell).replaceAll('`', '');
for (const [name, rows] of Object.entries(files)) {
  const file = new URL(`../../infra/docs/${name}`, import.meta.url);
  await writeFile(file, rows.map((cells) => `${cells.map(csvCell).join(',')}\n`).join(''));
  console.log(`written: infra/docs/${name}`);
}
