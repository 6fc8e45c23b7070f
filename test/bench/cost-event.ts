import { costOf, type PricedItem } from '../../infra/docs/prices.ts';
import { settingsOf } from '../harness/variables.ts';
import type { MemoryTable } from '../simulation/dynamodb/memory-table.ts';
import type { BillDetail } from '../simulation/scale/bill.ts';
import { readScaleOptions, type ScaleOptions } from '../simulation/scale/options.ts';
import { runScale } from '../simulation/scale/run.ts';
import { gigabyteMonths } from './cost-kept.ts';

/** Events as they come: how many, how many a second, and to how many by http. */
export interface Events {
  readonly subscribers: number;
  readonly events: number;
  readonly rate: number;
  /** Of deliveries that fail the first time. */
  readonly once?: string;
  readonly body?: string;
  readonly settings?: string;
  readonly lanes?: string;
}

export interface EventCost {
  /** What one event takes, idle work left out. */
  readonly details: readonly BillDetail[];
  /** Dollars of a million events. */
  readonly million: number;
}

export const millionOf = (item: PricedItem, count: number): number => costOf(item, count) * 1e6;

/** Until the audit is over; and a retry with it, an hour later. */
const minutesAfter = { audit: 15, retry: 75 } as const;

const optionsOf = ({ subscribers, events, rate, once, body = '100B', settings, lanes }: Events): ScaleOptions =>
  readScaleOptions([
    `--subscribers=${subscribers}`,
    ...[`--events=${events}`, `--rate=${rate}`, `--body=${body}`],
    `--receivers=p50=80ms${once === undefined ? '' : `,once=${once}`}`,
    `--minutes=${Math.ceil(events / rate / 60) + minutesAfter[once === undefined ? 'audit' : 'retry']}`,
    ...(settings === undefined ? [] : [`--settings=${settings}`]),
    ...(lanes === undefined ? [] : [`--lanes=${lanes}`]),
  ]);

/** Runs a simulation; answers what it took. @throws where an event was lost, doubled or refused: its cost would say nothing */
async function detailsOf(options: ScaleOptions): Promise<readonly BillDetail[]> {
  const { world, publications, http } = await runScale(options, { seeded() {}, passed() {} });
  world.close();
  const isWrong = publications.some(({ refusal }) => refusal !== undefined);
  if (isWrong || http.some(({ lost, doubled }) => lost + doubled > 0)) throw new Error('an event was lost or doubled');
  const table = world.dynamodb.tables.table('deliveries');
  const days = Number(settingsOf(options.settings).ledgerDays);
  return [...world.bill.details(), ...storedFor(table, days)];
}

/** What is kept in the ledger, as long as it is kept there. */
function storedFor(table: MemoryTable, days: number): BillDetail[] {
  const { all, own } = gigabyteMonths(table, days);
  return [
    { by: 'the ledger', call: '', item: 'DynamoDB GB-months', count: all },
    { by: 'the ledger', call: '', item: 'DynamoDB recovery GB-months', count: own },
  ];
}

const nameOf = ({ by, call, item }: BillDetail): string => [by, call, item].join('\0');

/** What happens anyway in so many minutes: the sweeper's looks. */
const idle = new Map<number, Promise<readonly BillDetail[]>>();

export function idleOf(minutes: number): Promise<readonly BillDetail[]> {
  const known = idle.get(minutes) ?? detailsOf({ ...readScaleOptions(['--subscribers=1']), events: 0, minutes });
  idle.set(minutes, known);
  return known;
}

/** What an event takes, by calls that were made for many of them in the simulator, less what happens anyway. */
export async function costOfEvent(given: Events): Promise<EventCost> {
  const options = optionsOf(given);
  const anyway = new Map((await idleOf(options.minutes)).map((one) => [nameOf(one), one.count]));
  const taken = await detailsOf(options);
  const details = taken
    .map((one) => ({ ...one, count: (one.count - (anyway.get(nameOf(one)) ?? 0)) / given.events }))
    .filter(({ count }) => count > 1e-12);
  return { details, million: details.reduce((sum, { item, count }) => sum + millionOf(item, count), 0) };
}
