import { writeFile } from 'node:fs/promises';
import { pricesOf } from '../../infra/prices.ts';
import { alone } from './cost-cases.ts';
import { costOfEvent, millionOf } from './cost-event.ts';
import { idleMonth } from './cost-idle.ts';
import { costOfOperations } from './cost-operations.ts';

// Counts what operations and events cost, for the table in infra/README.md: `npm run cost`.

const dollars = (value: number): string => value.toFixed(2);
const eventTo = async (subscribers: number, events: number) =>
  (await costOfEvent({ subscribers, ...alone, events })).million;

console.error('counting calls in the simulator ...');
const operations = await costOfOperations();
const [one, ten, thousand] = [await eventTo(1, 20), await eventTo(10, 20), await eventTo(1000, 3)];
const idle = (await idleMonth()).at(-1)?.$ ?? '';
const yearOf = (perDelivery: number): string => dollars(perDelivery * 365 * 1000);
const delivery = thousand / 1000 / 1e6;

const callsOf = (calls: number): string => `${calls} ${calls === 1 ? 'call' : 'calls'} of DynamoDB each`;

const rows = [
  ...operations.map(({ operation, million, calls }) => [
    `a million of \`${operation}\`, ${calls === undefined ? 'with the request to confirm by http' : callsOf(calls)}`,
    dollars(million),
  ]),
  ['a million of `publishEvent`, delivered to one subscriber by http', dollars(one)],
  ['to ten', dollars(ten)],
  ['to a thousand', dollars(thousand)],
  ['a year of a thousand subscribers by http, an event a day to all of them', yearOf(delivery)],
  ['the same by e-mail', yearOf(delivery + millionOf('SES mails', 1) / 1e6)],
  ['a month in which nobody asks for anything', String(idle)],
];
await writeFile(new URL('../../infra/costs.json', import.meta.url), `${JSON.stringify({ pricesOf, rows }, null, 2)}\n`);
for (const [what, price] of rows) console.log(`${String(price).padStart(10)}  ${what}`);
