import { costOf } from '../../infra/docs/prices.ts';
import { uinAt } from '../../infra/local/demo/population/chance.ts';
import { buckets } from '../../shared/contract/buckets.ts';
import { publishEvent } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { exportDeliveries, exportJournal } from '../../shared/contract/jobs.ts';
import { itemsOf } from '../../shared/storage/journal/store.ts';
import { settingsOf } from '../harness/variables.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld, startAt, type World } from '../simulation/scale/world.ts';
import { dollarsOf, type WorkCost } from './cost-dollars.ts';
import { functionOf } from './cost-functions.ts';
import { daysOfMonth, hoursOfMonth, keptFor } from './cost-kept.ts';
import { stageOf } from './cost-stage.ts';
import { passTime, reallyWorking } from './cost-time.ts';
import { answerParent } from './process.ts';

const hourMs = 3_600_000;
/** Deliveries are exported after half of `deliveryDays`, so a small value makes the export start early. */
const settings = '--settings=deliveryDays=1';
/** The number of simulated hours until the first hourly exports of the journal and the deliveries have finished. */
const [untilJournal, untilTold] = [3.6, 13.6];

/** Runs an action in a new simulation, waits the given number of simulated hours, and returns the result of `look`. */
async function inWorld<Found>(
  act: (world: World) => Promise<void>,
  hours: number,
  look: (world: World) => Found,
): Promise<Found> {
  const options = { ...readScaleOptions(['--subscribers=1000', settings]), events: 0 };
  const receivers = { ...options.receivers, hang: 0, down: 0 };
  const world = await openWorld({ ...options, receivers }, reallyWorking);
  const all = async () => {
    await act(world);
    await world.clock.sleep(hours * hourMs - (world.clock.now() - startAt));
    const [fault] = world.logs.faults.keys();
    if (fault !== undefined) throw new Error(fault);
    return look(world);
  };
  try {
    return await passTime(world, all());
  } finally {
    world.close();
  }
}

const billed =
  (job: string) =>
  ({ bill }: World) =>
    dollarsOf(bill, job);
const nothing = async () => {};

/** Writes the journal rows for many reads within one hour. */
async function read({ dynamodb }: World, count: number): Promise<void> {
  const table = dynamodb.tables.table('journal');
  const asked = { operation: 'readPerson', caller: 'civil-registry', purpose: 'passport application' };
  const names = ['firstName', 'lastName'];
  const days = Number(settingsOf({}).journalDays);
  for (let number = 0; number < count; number++) {
    const [id, requestId, uin] = [crypto.randomUUID(), crypto.randomUUID(), uinAt(number)];
    for (const after of itemsOf({ id, rows: [{ ...asked, requestId, uin, names }], at: startAt + number, days }))
      table.commit({ table, key: table.keyOf(after, false), before: undefined, after });
  }
}

/** Publishes events about a person, one event per second. */
async function tell(world: World, events: number, subscribers: number): Promise<void> {
  const publish = await functionOf(publishEvent);
  const stage = stageOf(world, () => publish);
  const [topic] = stage.topics(1);
  stage.subscribers(topic, subscribers);
  const body = JSON.stringify({ source: 'CR', uin: '123456789018' });
  const event = { method: 'POST', path: { uuid: topic.uuid }, query: 'subject=death', body };
  for (let number = 0; number < events; number++) {
    await stage.ask(publishEvent, event);
    await world.clock.sleep(1000);
  }
}

const isExport = ([key]: readonly [string, Buffer]): boolean => key.endsWith('.gz');

/** Returns the cost, in dollars, of storing the exports with the given key prefix until their lock ends. */
function locked({ s3 }: World, prefix: string): number {
  const bytes = s3
    .objects(prefix)
    .filter(isExport)
    .reduce((sum, [, { length }]) => sum + length, 0);
  return costOf('S3 GB-months', bytes / 2 ** 30) * (Number(settingsOf({}).journalLockDays) / daysOfMonth);
}

/** The cost of exports, and the monthly cost of each export job if there is no data to export. */
export interface ExportCosts {
  readonly work: Readonly<Record<'kept' | 'exported' | 'toldOne' | 'toldTen' | 'toldThousand', WorkCost>>;
  readonly idle: readonly (readonly [job: string, dollars: number])[];
}

async function costOfExports(): Promise<ExportCosts> {
  const { journalDays, journalLockDays } = settingsOf({});
  const rows = 4000;
  const idle = await inWorld(nothing, untilJournal, billed(exportJournal.job));
  const ofRows = await inWorld(
    (world) => read(world, rows),
    untilJournal,
    (world) => ({
      kept: keptFor(world.dynamodb.tables.table('journal'), Number(journalDays)),
      exported: billed(exportJournal.job)(world) - idle + locked(world, buckets.exportedJournal.journal),
    }),
  );
  const idleTold = await inWorld(nothing, untilTold, billed(exportDeliveries.job));
  const told = async (events: number, subscribers: number): Promise<number> => {
    const prefix = buckets.exportedJournal.deliveries;
    const dollars = await inWorld(
      (world) => tell(world, events, subscribers),
      untilTold,
      (world) => {
        const own = world.s3.objects(prefix).filter(isExport).length;
        if (own !== events) throw new Error(`exported ${own} of ${events} events`);
        return billed(exportDeliveries.job)(world) - idleTold + locked(world, prefix);
      },
    );
    return (dollars / events) * 1e6;
  };
  const recipientsOf = (subscribers: string): string =>
    `the recipients of a million events with ${subscribers}, exported and locked for ${journalLockDays} days`;
  const work = {
    kept: {
      what: `a million journal rows, stored in their table for ${journalDays} days (\`journalDays\`)`,
      dollars: (ofRows.kept / rows) * 1e6,
    },
    exported: {
      what: `a million journal rows, exported and locked for ${journalLockDays} days (\`journalLockDays\`)`,
      dollars: (ofRows.exported / rows) * 1e6,
    },
    toldOne: { what: recipientsOf('one subscriber'), dollars: await told(100, 1) },
    toldTen: { what: recipientsOf('ten subscribers'), dollars: await told(50, 10) },
    toldThousand: { what: recipientsOf('1,000 subscribers'), dollars: await told(5, 1000) },
  };
  const month = (dollars: number, hours: number): number => (dollars / hours) * hoursOfMonth;
  return {
    work,
    idle: [
      [exportDeliveries.job, month(idleTold, untilTold)],
      [exportJournal.job, month(idle, untilJournal)],
    ],
  };
}

answerParent<object, ExportCosts>(costOfExports);
