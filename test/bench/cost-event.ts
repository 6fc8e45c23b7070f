import { costOf, type PricedItem } from '../../infra/docs/prices.ts';
import { settingsOf } from '../harness/variables.ts';
import type { MemoryTable } from '../simulation/dynamodb/memory-table.ts';
import type { BillDetail } from '../simulation/scale/bill.ts';
import { readScaleOptions, type ScaleOptions } from '../simulation/scale/options.ts';
import { runScale } from '../simulation/scale/run.ts';
import { gigabyteMonths } from './cost-kept.ts';

/** A simulated load, defined by the number of events, their rate, and the number of http subscribers. */
export interface Events {
  readonly subscribers: number;
  readonly events: number;
  readonly rate: number;
  readonly body?: string;
}

export interface EventCost {
  /** The resources that one event uses, excluding the resources that scheduled jobs use. */
  readonly details: readonly BillDetail[];
  /** Dollars per million events. */
  readonly million: number;
}

export const millionOf = (item: PricedItem, count: number): number => costOf(item, count) * 1e6;

/** The number of minutes from the last event to the end of its reconciliation. */
const minutesAfter = 15;

const optionsOf = ({ subscribers, events, rate, body = '100B' }: Events): ScaleOptions =>
  readScaleOptions([
    `--subscribers=${subscribers}`,
    ...[`--events=${events}`, `--rate=${rate}`, `--body=${body}`],
    '--receivers=p50=80ms',
    `--minutes=${Math.ceil(events / rate / 60) + minutesAfter}`,
  ]);

/**
 * Runs a simulation and returns its bill.
 * @throws if an event is lost, duplicated or rejected, because the costs would be meaningless
 */
async function detailsOf(options: ScaleOptions): Promise<readonly BillDetail[]> {
  const { world, publications, http } = await runScale(options, { seeded() {}, passed() {} });
  world.close();
  const isWrong = publications.some(({ rejection }) => rejection !== undefined);
  if (isWrong || http.some(({ lost, duplicates }) => lost + duplicates > 0))
    throw new Error('an event was lost or duplicated');
  const table = world.dynamodb.tables.table('deliveries');
  const days = Number(settingsOf(options.settings).deliveryDays);
  return [...world.bill.details(), ...storedFor(table, days)];
}

/** Returns the cost of storing the rows of the deliveries table until they are deleted. */
function storedFor(table: MemoryTable, days: number): BillDetail[] {
  const { all, own } = gigabyteMonths(table, days);
  return [
    { by: 'the deliveries', call: '', item: 'DynamoDB GB-months', count: all },
    { by: 'the deliveries', call: '', item: 'DynamoDB recovery GB-months', count: own },
  ];
}

const nameOf = ({ by, call, item }: BillDetail): string => [by, call, item].join('\0');

/** The bills of scheduled jobs in simulations without events, keyed by the number of simulated minutes. */
const idle = new Map<number, Promise<readonly BillDetail[]>>();

export function idleOf(minutes: number): Promise<readonly BillDetail[]> {
  const known = idle.get(minutes) ?? detailsOf({ ...readScaleOptions(['--subscribers=1']), events: 0, minutes });
  idle.set(minutes, known);
  return known;
}

/** Simulates many events, subtracts the cost of scheduled jobs, and returns the cost of one event. */
export async function costOfEvent(given: Events): Promise<EventCost> {
  const options = optionsOf(given);
  const anyway = new Map((await idleOf(options.minutes)).map((one) => [nameOf(one), one.count]));
  const taken = await detailsOf(options);
  const details = taken
    .map((one) => ({ ...one, count: (one.count - (anyway.get(nameOf(one)) ?? 0)) / given.events }))
    .filter(({ count }) => count > 1e-12);
  return { details, million: details.reduce((sum, { item, count }) => sum + millionOf(item, count), 0) };
}
