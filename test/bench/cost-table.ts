import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pricesOf } from '../../infra/docs/prices.ts';
import { readCommand } from '../../infra/operate/command-line.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { costOfAuthorizer } from './cost-authorizer.ts';
import { alone } from './cost-cases.ts';
import { costOfEvent, millionOf } from './cost-event.ts';
import type { ExportCosts } from './cost-exports.ts';
import { clockMonth, idleMonth } from './cost-idle.ts';
import { costOfImports } from './cost-imports.ts';
import { costOfOperations, type OperationCost } from './cost-operations.ts';
import type { WorkCost } from './cost-work.ts';
import { stageOfYear, yearOfCountry } from './cost-year.ts';
import { startHelper } from './process.ts';

// Counts what operations, events and all other work cost, for the tables of infra/docs/COSTS.md and infra/README.md: `npm run cost`.

const readme = new URL('../../infra/docs/readme.ts', import.meta.url);
const usage =
  'npm run cost\n\nCounts in the simulator what operations, events and all other work cost, and writes all tables anew.';
readCommand({}, usage, 'npm run cost -- --help');

const dollars = (value: number): string => value.toFixed(2);
const eventTo = async (subscribers: number, events: number) =>
  (await costOfEvent({ subscribers, ...alone, events })).million;

const say = (what: string): void => console.error(`counting calls in the simulator: ${what} ...`);

/** In a process of its own, for it has settings of its own. */
async function costOfExports(): Promise<ExportCosts> {
  const helper = startHelper<object, ExportCosts>(new URL('cost-exports.ts', import.meta.url));
  try {
    return await helper.ask({});
  } finally {
    await helper.stop();
  }
}

say('operations');
const authorizing = 'a token of which API Gateway has no answer yet';
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
say('exports of the journal');
const exports = await costOfExports();
say('a month without requests');
const clock = [...(await clockMonth()), ...exports.idle].filter(([, month]) => month >= 0.005);
const idleOf = async (stage: string): Promise<number> =>
  exports.idle.reduce((sum, [, month]) => sum + month, Number((await idleMonth(stage)).at(-1)?.$));
const idle = await idleOf('dev');

const work: WorkCost[] = [
  { what: 'a million of `publishEvent`, delivered to one subscriber by http', dollars: one },
  { what: 'to ten', dollars: ten },
  { what: 'to a thousand', dollars: thousand },
  {
    what: 'the deliveries alone of an event a day to a thousand subscribers by http, for a year',
    dollars: yearOf(delivery),
  },
  { what: 'the same deliveries alone by e-mail', dollars: yearOf(delivery + millionOf('SES mails', 1) / 1e6) },
  ...imports.work,
  ...Object.values(exports.work),
  { what: 'a month in which nobody asks for anything, of the stage `dev`', dollars: idle },
  ...clock.map(([job, month]) => ({ what: `of which the job \`${job}\``, dollars: month })),
];

const year = yearOfCountry({
  ...{ operations, toTen: ten, imports, exports },
  idleMonth: await idleOf(stageOfYear),
});
const rowsOf = (rows: readonly WorkCost[]) => rows.map((row) => ({ what: row.what, dollars: dollars(row.dollars) }));

const costs = {
  pricesOf,
  operations: operations.map(({ operation, of, dynamodb, s3, milliseconds, kilobytes, million }) => ({
    ...{ operation, of, dynamodb: Math.round(dynamodb), s3: Math.round(s3) },
    ...{ milliseconds: Math.round(milliseconds), kilobytes: Math.round(kilobytes), million: dollars(million) },
  })),
  work: rowsOf(work),
  year: { of: year.of, rows: rowsOf(year.rows), together: dollars(year.together) },
};
await writeFile(new URL('../../infra/costs.json', import.meta.url), `${JSON.stringify(costs, null, 2)}\n`);
for (const { operation, of, million } of costs.operations) console.log(`${million.padStart(10)}  ${operation} ${of}`);
for (const row of [...costs.work, ...costs.year.rows]) console.log(`${row.dollars.padStart(10)}  ${row.what}`);
// It reads what was written, in a process that has not read it before.
process.exitCode = spawnSync(process.execPath, [fileURLToPath(readme)], { stdio: 'inherit' }).status ?? 1;
