import { queues as queueNames } from '../../../shared/contract/queues.ts';
import { queueHandlers } from '../../harness/queue-handlers.ts';
import { chanceOf } from '../clock/chance.ts';
import { install } from '../clock/install.ts';
import { virtualClock } from '../clock/virtual-clock.ts';
import { MemoryDynamodb } from '../dynamodb/memory-dynamodb.ts';
import { deployQueues, sourcesOf } from '../lambda/deployment.ts';
import { feedFrom } from '../lambda/event-source.ts';
import { copyAtWork, lambdaPlatform } from '../lambda/platform.ts';
import { schedule } from '../lambda/schedule.ts';
import type { MemoryS3 } from '../s3/memory-s3.ts';
import { memorySqs } from '../sqs/sqs.ts';
import { actingOf } from './acts.ts';
import { hearConsole } from './console-of.ts';
import { jobFunctions } from './deployed.ts';
import { faultsOf } from './faults.ts';
import { History } from './history.ts';
import { importingOf } from './import-acts.ts';
import { ImportHistory } from './import-history.ts';
import { type Observed, observe } from './observe-tables.ts';
import { type Plan, planOf } from './plan.ts';
import { isOfImports } from './plan-imports.ts';
import { receiversOf } from './receivers.ts';
import { connect, settings, tableNames } from './world.ts';

/** What a seed has played, for those who judge it. */
export interface Played {
  readonly seed: number;
  readonly plan: Plan;
  readonly history: History;
  readonly imports: ImportHistory;
  readonly bucket: MemoryS3;
  readonly observed: Observed;
  /** By queue, the ids of what was put aside. */
  readonly deadLetters: ReadonlyMap<string, readonly string[]>;
  /** Nothing is left to do. */
  readonly isQuiet: boolean;
  readonly steps: number;
  readonly virtualMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
// Functions of one process keep what they have read: each seed has a time of its own, and begins when that is too old.
const start = (seed: number): number => Date.UTC(2024, 2, 1, 12) + seed * 40 * dayMs;
// What is not quiet by then never will be.
const mostDays = 12;
const mostSteps = 400_000;
const receiverTimeoutMs = 15_000;

type Handlers = ReturnType<typeof queueHandlers>;

/** The functions behind the queues, each copy of which keeps what it has read for itself, as a process does. */
function ofEachCopy(start: () => Handlers): Handlers {
  const known = new WeakMap<object, Handlers>();
  const handlers = (): Handlers => {
    const copy = copyAtWork() ?? {};
    const own = known.get(copy) ?? start();
    known.set(copy, own);
    return own;
  };
  const names = Object.keys(queueNames) as (keyof Handlers)[];
  const each = names.map((name) => [name, (...given: Parameters<Handlers[typeof name]>) => handlers()[name](...given)]);
  return Object.fromEntries(each);
}

/** Plays one seed to its end. The same seed is the same play, call by call. */
export async function play(seed: number, trace?: (line: string) => void): Promise<Played> {
  const chance = chanceOf(seed);
  const startAt = start(seed);
  const plan = planOf(chance.fork(), startAt);
  const clock = virtualClock(startAt);
  const history = new History();
  const imports = new ImportHistory();
  const tell = (what: string): void => {
    if (trace === undefined) return;
    const at = new Date(clock.now() - startAt).toISOString().slice(8, 23).replace('T', ' ');
    trace(`${at} ${(copyAtWork()?.name ?? '').padEnd(22)} ${what}`);
  };
  const until = startAt + plan.faultsMs;
  const faults = faultsOf({ clock, chance: chance.fork(), history, odds: plan.odds, until, trace: tell });
  const lagging = chance.fork();
  const lag = (most: number) => () => (faults.isOn() ? lagging.next() * most : 0);
  const paging = chance.fork();
  const sqs = memorySqs(clock, faults.whims);
  const database = new MemoryDynamodb({
    now: clock.now,
    indexLagMs: lag(plan.indexLagMs),
    readLagMs: lag(plan.readLagMs),
    endsPage: () => paging.happens(plan.pageEnds),
  });
  for (const name of tableNames) database.createTable(name);
  const observed = observe(database, history, imports, clock);
  deployQueues(sqs, settings);

  const skewing = chance.fork();
  const platform = lambdaPlatform(clock, {
    skewMs: () => (skewing.next() * 2 - 1) * plan.skewMs,
    onStart(invocation, { name }) {
      history.begin(invocation);
      tell(`start ${name}`);
    },
    onEnd(invocation, ending, { name }) {
      history.end(invocation, ending);
      tell(`${ending.is} ${name}`);
    },
  });
  const { isShared } = plan;
  const acting = actingOf({ isShared, clock, chance: chance.fork(), platform, sqs, history, trace: tell });
  const sender = receiversOf({
    clock,
    chance: chance.fork(),
    history,
    faults,
    timeoutMs: receiverTimeoutMs,
    personAt: (address) => plan.people.find((person) => person.address === address),
    confirm: acting.confirm,
    trace: tell,
  });
  const onFailed = (messageId: string, uuid: string): void => {
    history.reports.push({ messageId, uuid, run: history.runOf(copyAtWork()) });
    tell(`failed ${messageId} ${uuid}`);
  };
  const handlers = ofEachCopy(() => queueHandlers({ settings, sender, onFailed, interference: () => ({}) }));

  const giveBack = install(clock, chance.fork());
  const given = { plan, clock, chance: chance.fork(), platform, sqs, database, history: imports, trace: tell };
  const importing = importingOf(given);
  const stopHearing = hearConsole(() => history);
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
      const doing = () => (isOfImports(act) ? importing.do(act) : acting.do(act));
      clock.after(act.afterMs, () => void doing().finally(() => (left -= 1)));
    }
    let isQuiet = false;
    const isEmpty = (): boolean =>
      [...sqs.queues.values()].every((one) => isLetters(one.name) || one.nextShowAt() === undefined);
    schedule(clock, 10 * minuteMs, () => {
      isQuiet = left === 0 && !faults.isOn() && observed.nextDue() === Number.POSITIVE_INFINITY && isEmpty();
    });
    await clock.run({ until: startAt + mostDays * dayMs, isDone: () => isQuiet || clock.steps > mostSteps });
    const deadLetters = [...sqs.queues.values()].filter(({ name }) => isLetters(name));
    return {
      seed,
      plan,
      history,
      imports,
      bucket: importing.s3,
      observed,
      deadLetters: new Map(deadLetters.map((queue) => [queue.name, queue.messages().map(({ id }) => id)])),
      isQuiet,
      steps: clock.steps,
      virtualMs: clock.now() - startAt,
    };
  } finally {
    stopHearing();
    giveBack();
  }
}

const isLetters = (name: string): boolean => name.endsWith('DeadLetters');
