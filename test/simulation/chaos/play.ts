import { internalErrorLogged } from '../../../shared/contract/log-lines.ts';
import { queues as queueNames } from '../../../shared/contract/queue-names.ts';
import { workerLanes } from '../../../shared/contract/workers.ts';
import { queueHandlers } from '../../harness/queue-handlers.ts';
import { chanceOf } from '../clock/chance.ts';
import { install } from '../clock/install.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import { deployQueues, sourcesOf } from '../lambda/deployment.ts';
import { feedFrom } from '../lambda/event-source.ts';
import { currentInstance, lambdaPlatform } from '../lambda/platform.ts';
import { schedule } from '../lambda/schedule.ts';
import type { MemoryS3 } from '../s3/memory-s3.ts';
import { memorySqs } from '../sqs/sqs.ts';
import { actsOf } from './acts.ts';
import { jobFunctions } from './deployed.ts';
import { faultsOf } from './faults.ts';
import { History } from './history.ts';
import { importActsOf } from './import-acts.ts';
import { ImportHistory } from './import-history.ts';
import { type Observed, observe } from './observe-tables.ts';
import { type Plan, planOf, reactionsOf, type Subscriber } from './plan.ts';
import { isImportAct } from './plan-imports.ts';
import { receiversOf } from './receivers.ts';
import { signingOf } from './signing.ts';
import { connect, settings, tableNames } from './world.ts';

/** The data recorded for a simulated seed, as input for the judge. */
export interface Played {
  readonly plan: Plan;
  readonly history: History;
  readonly imports: ImportHistory;
  readonly bucket: MemoryS3;
  readonly observed: Observed;
  /** The ids of the messages in each dead-letter queue. */
  readonly deadLetters: ReadonlyMap<string, readonly string[]>;
  /** Whether all work was done when the simulation stopped. */
  readonly isQuiet: boolean;
  readonly virtualMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
// The start time is the same for every seed, because message ids begin with the time. The seeds in a process also share
// cached data, such as a secret.
const startAt = Date.UTC(2024, 2, 1, 12);
// The maximum duration of a simulation, even if work remains.
const maxDays = 12;
const maxSteps = 400_000;
const receiverTimeoutMs = 15_000;

type Handlers = ReturnType<typeof queueHandlers>;

/** Returns handlers that give each instance its own caches, as if it were a separate process. */
function perInstance(start: () => Handlers): Handlers {
  const known = new WeakMap<object, Handlers>();
  const handlers = (): Handlers => {
    const instance = currentInstance() ?? {};
    const own = known.get(instance) ?? start();
    known.set(instance, own);
    return own;
  };
  const names = Object.keys(queueNames) as (keyof Handlers)[];
  const each = names.map((name) => [name, (...given: Parameters<Handlers[typeof name]>) => handlers()[name](...given)]);
  return Object.fromEntries(each);
}

const { info, error, debug } = console;

/** Silences the console, and records each internal error with its run. Returns a function that restores the console. */
function captureConsole(history: () => History | undefined): () => void {
  console.info = () => {};
  console.debug = () => {};
  console.error = (line: { message?: string; error?: string; reason?: string }) => {
    if (currentInstance() === undefined) return error(line);
    if (line.message !== internalErrorLogged) return;
    const run = history()?.runOf(currentInstance());
    run?.logged.push(`${line.error} ${line.reason ?? ''} ${JSON.stringify(line)}`);
  };
  return () => Object.assign(console, { info, error, debug });
}

/**
 * Simulates a seed. The same seed always causes the same calls.
 * @param change a function that changes the seed's plan
 */
export async function play(
  seed: number,
  trace?: (line: string) => void,
  change = (plan: Plan): Plan => plan,
): Promise<Played> {
  const chance = chanceOf(seed);
  const plan = change(planOf(chance.fork(), startAt));
  const clock = virtualClock(startAt);
  const history = new History();
  const imports = new ImportHistory();
  const log = (what: string): void => {
    if (trace === undefined) return;
    const at = new Date(clock.now() - startAt).toISOString().slice(8, 23).replace('T', ' ');
    trace(`${at} ${(currentInstance()?.name ?? '').padEnd(22)} ${what}`);
  };
  const until = startAt + plan.faultsMs;
  const faults = faultsOf({
    clock,
    chance: chance.fork(),
    history,
    odds: plan.odds,
    until,
    otherVersion: plan.otherVersion,
    trace: log,
  });
  const lagging = chance.fork();
  const lag = (max: number) => () => (faults.isOn() ? lagging.next() * max : 0);
  const paging = chance.fork();
  const sqs = memorySqs(clock, faults.quirks);
  const database = new MemoryDynamodb({
    now: clock.now,
    // The clean-up of a deleted topic reads the subscription index only once, so the index lags by at most 20 seconds.
    indexLagMs: (table) => (table === 'deliveries' ? lag(plan.indexLagMs) : lag(plan.shortIndexLagMs))(),
    readLagMs: lag(plan.readLagMs),
    ttlLagMs: plan.ttlLagMs,
    leavesRow: faults.leavesRow,
    endsPage: () => paging.happens(plan.pageEnds),
  });
  for (const name of tableNames) database.createTable(name);
  const observed = observe(database, history, imports, clock, plan);
  deployQueues(sqs, settings);

  function emptyQueue(lane: string): void {
    const queue = workerLanes.find((one) => one.lane === lane)?.queue;
    if (queue === undefined || queue === 'imports' || queue === 'documentEvents' || queue === 'cleanUp') return;
    history.purges.push({ at: clock.now(), queue });
    sqs.queueAt(queue).purge();
  }

  const skewing = chance.fork();
  const platform = lambdaPlatform(clock, {
    skewMs: () => (skewing.next() * 2 - 1) * plan.skewMs,
    retires: faults.retires,
    onStart(invocation, { name }) {
      history.begin(invocation);
      log(`start ${name}`);
    },
    onEnd(invocation, ending, { name }) {
      history.end(invocation, ending);
      if (ending.is === 'crashed' && faults.emptiesQueue()) emptyQueue(invocation.facts.name);
      log(`${ending.is} ${name}`);
    },
  });
  const { isShared, rotatesSecret } = plan;
  const signing = signingOf(clock);
  const acts = actsOf({ isShared, clock, chance: chance.fork(), platform, sqs, history, signing, trace: log });
  const reacting = chance.fork();
  const sender = receiversOf({
    clock,
    chance: chance.fork(),
    history,
    faults,
    signing: rotatesSecret ? signing : undefined,
    timeoutMs: receiverTimeoutMs,
    personAt: (address) => plan.people.find((person) => person.address === address),
    confirm: acts.confirm,
    react(person) {
      for (const act of reactionsOf(person as Subscriber, reacting)) clock.after(act.afterMs, () => void acts.do(act));
    },
    trace: log,
  });
  const onFailed = (messageId: string, uuid: string): void => {
    history.reports.push({ messageId, uuid, run: history.runOf(currentInstance()), at: clock.now() });
    log(`failed ${messageId} ${uuid}`);
  };
  const delivering = { settings, subscriptionsPerTask: plan.perTask, sender, onFailed, interference: () => ({}) };
  const handlers = perInstance(() => queueHandlers(delivering));

  const uninstall = install(clock, chance.fork());
  const given = { plan, clock, chance: chance.fork(), platform, sqs, database, history: imports, trace: log };
  const importing = importActsOf(given);
  const restoreConsole = captureConsole(() => history);
  connect(database, sqs, importing.s3, { wire: faults.wire });
  try {
    const polling = chance.fork();
    const hooks = {
      pollDelayMs: () => polling.next() * (faults.isOn() ? plan.pollDelayMs : 20),
      deleted: <Value>(_: unknown, settled: readonly Value[]) => settled.filter(() => !faults.losesDelete()),
    };
    for (const source of sourcesOf(sqs, settings, handlers)) feedFrom(source, clock, platform, hooks);
    for (const facts of jobFunctions) {
      if (facts.everyMinutes === undefined) continue;
      const isDue = () => observed.nextDue() <= clock.now() + minuteMs;
      schedule(clock, facts.everyMinutes * minuteMs, () => void platform.invoke(facts, {}), isDue);
    }
    await importing.begin();
    let left = plan.acts.length;
    for (const act of plan.acts) {
      const perform = () => (isImportAct(act) ? importing.do(act) : acts.do(act));
      clock.after(act.afterMs, () => void perform().finally(() => (left -= 1)));
    }
    let isQuiet = false;
    const isEmpty = (): boolean =>
      [...sqs.queues.values()].every((one) => isDeadLetterQueue(one.name) || one.nextShowAt() === undefined);
    schedule(clock, 10 * minuteMs, () => {
      isQuiet = left === 0 && !faults.isOn() && observed.nextDue() === Number.POSITIVE_INFINITY && isEmpty();
    });
    await clock.run({ until: startAt + maxDays * dayMs, isDone: () => isQuiet || clock.steps > maxSteps });
    const deadLetters = [...sqs.queues.values()].filter(({ name }) => isDeadLetterQueue(name));
    return {
      plan,
      history,
      imports,
      bucket: importing.s3,
      observed,
      deadLetters: new Map(deadLetters.map((queue) => [queue.name, queue.messages().map(({ id }) => id)])),
      isQuiet,
      virtualMs: clock.now() - startAt,
    };
  } finally {
    restoreConsole();
    uninstall();
  }
}

const isDeadLetterQueue = (name: string): boolean => name.endsWith('DeadLetters');
