import { population } from '../../infra/local/demo/population/population.ts';
import { buckets } from '../../shared/contract/buckets.ts';
import { importChanges } from '../../shared/contract/workers/registry-workers.ts';
import { aBucketEvent } from '../harness/bucket-event.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld, type World } from '../simulation/scale/world.ts';
import { dollarsOf, type WorkCost } from './cost-dollars.ts';
import { keptFor } from './cost-kept.ts';
import { passTime } from './cost-time.ts';

const lines = 5000;
const lane = importChanges.worker;
const minuteMs = 60_000;

/**
 * Imports a file and returns the cost in dollars per million lines.
 * @throws if a line is rejected
 */
async function imported({ s3, sqs, clock, bill }: World, name: string, changes: readonly object[]): Promise<number> {
  const key = `${buckets.documents.imports}${name}.ndjson`;
  const before = dollarsOf(bill, lane);
  s3.put(key, changes.map((change) => `${JSON.stringify(change)}\n`).join(''));
  sqs.queueAt('imports').send(JSON.stringify(aBucketEvent(key)), '', 0);
  const report = () => s3.objects(`${key}.report.json`)[0]?.[1].toString();
  while (report() === undefined) await clock.sleep(minuteMs);
  // The last run ends shortly after it has written the report.
  await clock.sleep(minuteMs);
  const { lines: done, rejected } = JSON.parse(report() ?? '');
  if (done !== changes.length || rejected > 0) throw new Error(`the import did not apply every line: ${report()}`);
  return ((dollarsOf(bill, lane) - before) / changes.length) * 1e6;
}

/** The cost of imported lines, and the cost of storing one registered person for a year. */
export interface ImportCosts {
  readonly work: readonly WorkCost[];
  readonly personYear: number;
}

/** Measures the cost of each kind of imported change at the default pace, in tables with all search indexes. */
export async function costOfImports(): Promise<ImportCosts> {
  const people = [...population({ size: lines })];
  const world = await openWorld({ ...readScaleOptions(['--subscribers=1']), events: 0 });
  const registers = people.map(({ uin, attributes }) => ({ change: 'register', uin, attributes }));
  const [renames, removals] = [
    people.map(({ uin }, number) => ({ change: 'update', uin, attributes: { lastName: `New ${number}` } })),
    people.map(({ uin }) => ({ change: 'remove', uin })),
  ];
  const all = async () => {
    const registering = await imported(world, 'registers', registers);
    const personYear = keptFor(world.dynamodb.tables.table('persons'), 365) / lines;
    const work = [
      { what: 'a million imported lines that register a person', dollars: registering },
      { what: 'a million imported lines that change a last name', dollars: await imported(world, 'renames', renames) },
      { what: 'a million imported lines that remove a person', dollars: await imported(world, 'removals', removals) },
    ];
    return { work, personYear };
  };
  try {
    return await passTime(world, all());
  } finally {
    world.close();
  }
}
