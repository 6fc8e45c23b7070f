import { namesOf } from '../../../shared/contract/deployment-names.ts';
import { metricVariables } from '../../../shared/contract/metrics.ts';
import type { QueueName } from '../../../shared/contract/queue-names.ts';
import { tables as contract, type Table, type TableName } from '../../../shared/contract/tables.ts';
import { dynamo } from '../../../shared/storage/dynamo.ts';
import { queueHandlers } from '../../harness/queue-handlers.ts';
import { functionVariables, settingsOf } from '../../harness/variables.ts';
import { type Chance, chanceOf } from '../clock/chance.ts';
import { install } from '../clock/install.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import { deployQueues, sourcesOf } from '../lambda/deployment.ts';
import { feedFrom } from '../lambda/event-source.ts';
import { type FunctionFacts, lambdaPlatform } from '../lambda/platform.ts';
import { schedule } from '../lambda/schedule.ts';
import { MemoryS3 } from '../s3/memory-s3.ts';
import { memorySqs, urlOf } from '../sqs/sqs.ts';
import { attachServices } from './aws-in-memory.ts';
import { Bill } from './bill.ts';
import { reservesOf } from './callers.ts';
import { partitionedCapacity } from './capacity-model.ts';
import { Compute } from './compute.ts';
import { latencyMs } from './costs.ts';
import { scalingSources } from './event-sources.ts';
import { receiverTimeoutMs, scheduledJobs } from './functions.ts';
import { Limits } from './limits.ts';
import { logBook } from './log-book.ts';
import type { ScaleOptions } from './options.ts';
import { Receivers } from './receivers.ts';

// The simulation starts on a Saturday at noon UTC.
export const startAt = Date.UTC(2026, 10, 21, 12);

const used = Object.keys(contract) as TableName[];

const tableOf = (place: string): Table => contract[place.split('/')[0] as TableName];

/** Returns the warm throughput that the stack sets for a table and its indexes. */
const warmedByStack = (place: string, { settings }: ScaleOptions): number | undefined =>
  tableOf(place).isWarmed ? Number(settingsOf(settings).warmWritesPerSecond) : undefined;

type Sleep = (ms: number) => Promise<void>;

function databaseOf(now: () => number, sleep: Sleep, limits: Limits, bill: Bill, options: ScaleOptions) {
  const capacity = partitionedCapacity({
    now,
    onTaken: ({ of, units }) => bill.request(`DynamoDB ${of}`, units),
    warmWrites: (place) => warmedByStack(place, options),
    onThrottle: ({ of }, place) =>
      limits.record(`${of} of ${place}: a partition allows ${of === 'writes' ? '1,000' : '3,000'} per second`),
  });
  const dynamodb = new MemoryDynamodb({ now, capacity, holdTransaction: () => sleep(latencyMs.transaction) });
  for (const name of used) dynamodb.createTable(name);
  return dynamodb;
}

/**
 * Opens the whole service on a virtual clock, in an account with the given limits.
 * @param asExport wraps an export function so that the virtual clock waits while the function compresses files. By
 * default, exports do not run.
 */
export async function openWorld(options: ScaleOptions, asExport?: (facts: FunctionFacts) => FunctionFacts) {
  const clock = virtualClock(startAt);
  const chance: Chance = chanceOf(options.seed);
  const uninstall = install(clock, chance.fork());
  const now = () => clock.now();
  const [limits, bill] = [new Limits(now), new Bill()];
  const logs = logBook(bill);
  const { settings } = options;
  const sqs = memorySqs(clock);
  deployQueues(sqs, settings);
  const names = Object.fromEntries([...sqs.queues.keys()].map((name) => [name, urlOf(name)]));
  const variables = functionVariables(settings, {
    tables: Object.fromEntries(used.map((name) => [name, name])),
    queues: names as Record<QueueName, string>,
  });
  // Without AWS_RETRY_MODE and AWS_MAX_ATTEMPTS, the SDK would read files, but the virtual clock cannot wait for files.
  const tries = { AWS_RETRY_MODE: 'standard', AWS_MAX_ATTEMPTS: '3' };
  const access = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', ...tries };
  // This function name has a typical length, because AWS bills metrics by size.
  const metrics = { [metricVariables.namespace]: namesOf('prod').metrics, [metricVariables.function]: 'deliverByHttp' };
  Object.assign(process.env, variables, access, metrics);

  const dynamodb = databaseOf(now, (ms) => clock.sleep(ms), limits, bill, options);
  // By default, the deployment's setting equals the account's concurrency. Lambda rejects reserved concurrency above the
  // account's concurrency.
  const reserves = reservesOf({ concurrency: String(options.concurrency), ...settings });
  const compute = new Compute(clock, limits, bill, options.concurrency, reserves);
  const receivers = new Receivers({
    ...{ clock, chance: chance.fork(), compute, bill, mix: options.receivers },
    count: options.subscribers,
    timeoutMs: receiverTimeoutMs(settings),
  });
  const s3 = new MemoryS3();
  attachServices({ clock, chance: chance.fork(), compute, bill, dynamodb, sqs, s3 });

  const platform = lambdaPlatform(clock, compute.hooks);
  let failed = 0;
  const onFailed = (): void => {
    failed += 1;
  };
  const handlers = queueHandlers({ settings, sender: receivers.sender, onFailed, interference: () => ({}) });
  const hooks = scalingSources(clock, limits, bill);
  for (const source of sourcesOf(sqs, settings, handlers)) feedFrom(source, clock, platform, hooks);
  for (const { facts, everyMinutes, isExport } of await scheduledJobs()) {
    const job = isExport ? asExport?.(facts) : facts;
    if (job === undefined) continue;
    schedule(clock, everyMinutes * 60_000, () => void platform.invoke(job, {}));
  }

  return {
    ...{ dynamodb, clock, chance, limits, bill, compute, receivers, sqs, s3, platform, logs },
    failed: () => failed,
    close(): void {
      uninstall();
      logs.close();
      dynamo().destroy();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
