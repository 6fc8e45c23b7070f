import type { VirtualClock } from '../clock/virtual-clock.ts';
import { currentInstance, type FunctionFacts, type Instance, type PlatformHooks } from '../lambda/platform.ts';
import type { Bill } from './bill.ts';
import { coldStartMs, megabytesOfCore } from './costs.ts';
import type { Limits } from './limits.ts';

interface Usage {
  /** The number of runs that had to wait for concurrency. Lambda would reject such runs of API functions. */
  waited: number;
  busyMs: number;
}

const defaultMegabytes = 512;

/** Concurrency that is shared by all functions of the account or reserved for one function. */
interface Pool {
  readonly limit: string;
  readonly max: number;
  running: number;
  readonly waiting: (() => void)[];
}

const newPool = (limit: string, max: number): Pool => ({ limit, max, running: 0, waiting: [] });

/** Simulates the functions of an account: concurrency, CPU time and resource use. */
export class Compute {
  readonly usage = new Map<string, Usage>();
  readonly #clock: VirtualClock;
  readonly #limits: Limits;
  readonly #bill: Bill;
  readonly #shared: Pool;
  readonly #reserved: ReadonlyMap<string, Pool>;
  readonly #busyUntil = new WeakMap<Instance, number>();
  #running = 0;
  peakConcurrency = 0;
  /** The number of AWS calls in progress. */
  calling = 0;

  /**
   * @param max the concurrency of the account
   * @param reserved the concurrency reserved for each function
   */
  constructor(clock: VirtualClock, limits: Limits, bill: Bill, max: number, reserved: ReadonlyMap<string, number>) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bill = bill;
    const reservedTotal = [...reserved.values()].reduce((sum, copies) => sum + copies, 0);
    this.#shared = newPool(`the account's concurrency of ${max}`, max - reservedTotal);
    this.#reserved = new Map(
      [...reserved].map(([name, copies]) => [name, newPool(`the reserved concurrency of ${name}`, copies)]),
    );
  }

  usageOf(name: string): Usage {
    const usage = this.usage.get(name) ?? { waited: 0, busyMs: 0 };
    this.usage.set(name, usage);
    return usage;
  }

  /** Returns how many milliseconds the current instance needs to finish its earlier CPU work and the given CPU work. */
  delayOf(cpu: number): number {
    const instance = currentInstance();
    if (instance === undefined) return 0;
    const now = this.#clock.now();
    const share = Math.min(1, (instance.facts.memoryMegabytes ?? defaultMegabytes) / megabytesOfCore);
    const until = Math.max(now, this.#busyUntil.get(instance) ?? 0) + cpu / share;
    this.#busyUntil.set(instance, until);
    return until - now;
  }

  #poolOf = ({ name }: FunctionFacts): Pool => this.#reserved.get(name) ?? this.#shared;

  async #admit(facts: FunctionFacts, isCold: boolean): Promise<void> {
    const pool = this.#poolOf(facts);
    if (pool.running >= pool.max) {
      this.#limits.record(pool.limit);
      this.usageOf(facts.name).waited += 1;
      await new Promise<void>((resolve) => pool.waiting.push(resolve));
    } else pool.running += 1;
    this.#running += 1;
    this.peakConcurrency = Math.max(this.peakConcurrency, this.#running);
    if (isCold) await this.#clock.sleep(coldStartMs);
  }

  /** Releases concurrency and starts the run that has waited the longest. */
  #release(facts: FunctionFacts): void {
    const pool = this.#poolOf(facts);
    const next = pool.waiting.shift();
    this.#running -= 1;
    if (next === undefined) pool.running -= 1;
    else next();
  }

  readonly hooks: PlatformHooks = {
    admit: (facts, isCold) => this.#admit(facts, isCold),
    onEnd: ({ facts, startedAt }, ending) => {
      this.#release(facts);
      // Lambda rounds durations up to full milliseconds and bills at least one millisecond.
      const ms = Math.max(1, Math.ceil(this.#clock.now() - startedAt));
      this.usageOf(facts.name).busyMs += ms;
      const gigabytes = (facts.memoryMegabytes ?? defaultMegabytes) / 1024;
      this.#bill.request('Lambda requests', 1, facts.name);
      this.#bill.request('Lambda GB-seconds', (ms / 1000) * gigabytes, facts.name);
      if (ending.is === 'timedOut') this.#limits.record(`the timeout of ${facts.name} (${facts.timeoutMs / 1000} s)`);
    },
  };
}
