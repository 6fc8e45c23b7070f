import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { Copy, FunctionFacts, PlatformHooks } from '../lambda/platform.ts';
import { copyAtWork } from '../lambda/platform.ts';
import type { Bill } from './bill.ts';
import { coldStartMs, megabytesOfCore } from './costs.ts';
import type { Limits } from './limits.ts';

/** What one function has used. */
export interface Usage {
  invocations: number;
  coldStarts: number;
  timeouts: number;
  /** Runs for which there was no place at first: Lambda refuses those of callers. */
  waited: number;
  busyMs: number;
  cpuMs: number;
  atWork: number;
  mostAtWork: number;
}

const newUsage = (): Usage => ({
  ...{ invocations: 0, coldStarts: 0, timeouts: 0, waited: 0, busyMs: 0, cpuMs: 0 },
  ...{ atWork: 0, mostAtWork: 0 },
});

const defaultMegabytes = 512;

/** Places of copies that some functions share: those of the account, or of one function that has a reserve. */
interface Pool {
  readonly limit: string;
  readonly most: number;
  atWork: number;
  readonly waiting: (() => void)[];
}

const newPool = (limit: string, most: number): Pool => ({ limit, most, atWork: 0, waiting: [] });

/** The account's functions: how many run at once, what a copy's processor takes, and what it all uses. */
export class Compute {
  readonly usage = new Map<string, Usage>();
  readonly #clock: VirtualClock;
  readonly #limits: Limits;
  readonly #bill: Bill;
  readonly #shared: Pool;
  readonly #reserved: ReadonlyMap<string, Pool>;
  readonly #busyUntil = new WeakMap<Copy, number>();
  #atWork = 0;
  mostAtWork = 0;
  /** Calls of AWS that are on their way. */
  calling = 0;

  /**
   * @param most functions that the account runs at once
   * @param reserved how many of them are kept for which functions
   */
  constructor(clock: VirtualClock, limits: Limits, bill: Bill, most: number, reserved: ReadonlyMap<string, number>) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bill = bill;
    const kept = [...reserved.values()].reduce((sum, copies) => sum + copies, 0);
    this.#shared = newPool(`the account's concurrency of ${most}`, most - kept);
    this.#reserved = new Map([...reserved].map(([name, copies]) => [name, newPool(`the reserve of ${name}`, copies)]));
  }

  usageOf(name: string): Usage {
    const usage = this.usage.get(name) ?? newUsage();
    this.usage.set(name, usage);
    return usage;
  }

  /** How long it takes the copy at work to compute this: it has a share of a core, and what it began before comes first. */
  delayOf(cpu: number): number {
    const copy = copyAtWork();
    if (copy === undefined) return 0;
    const now = this.#clock.now();
    const share = Math.min(1, (copy.facts.memoryMegabytes ?? defaultMegabytes) / megabytesOfCore);
    const until = Math.max(now, this.#busyUntil.get(copy) ?? 0) + cpu / share;
    this.#busyUntil.set(copy, until);
    this.usageOf(copy.facts.name).cpuMs += cpu;
    return until - now;
  }

  #poolOf = ({ name }: FunctionFacts): Pool => this.#reserved.get(name) ?? this.#shared;

  async #admit(facts: FunctionFacts, isCold: boolean): Promise<void> {
    const pool = this.#poolOf(facts);
    if (pool.atWork >= pool.most) {
      this.#limits.note(pool.limit);
      this.usageOf(facts.name).waited += 1;
      await new Promise<void>((resolve) => pool.waiting.push(resolve));
    } else pool.atWork += 1;
    this.#atWork += 1;
    this.mostAtWork = Math.max(this.mostAtWork, this.#atWork);
    if (!isCold) return;
    this.usageOf(facts.name).coldStarts += 1;
    await this.#clock.sleep(coldStartMs);
  }

  /** A place is free: whoever waits longest has it. */
  #release(facts: FunctionFacts): void {
    const pool = this.#poolOf(facts);
    const next = pool.waiting.shift();
    this.#atWork -= 1;
    if (next === undefined) pool.atWork -= 1;
    else next();
  }

  readonly hooks: PlatformHooks = {
    admit: (facts, isCold) => this.#admit(facts, isCold),
    onStart: ({ facts }) => {
      const usage = this.usageOf(facts.name);
      usage.atWork += 1;
      usage.mostAtWork = Math.max(usage.mostAtWork, usage.atWork);
    },
    onEnd: ({ facts, startedAt }, ending) => {
      this.#release(facts);
      const usage = this.usageOf(facts.name);
      // Charged by the millisecond, one at least.
      const ms = Math.max(1, Math.ceil(this.#clock.now() - startedAt));
      usage.atWork -= 1;
      usage.invocations += 1;
      usage.busyMs += ms;
      const gigabytes = (facts.memoryMegabytes ?? defaultMegabytes) / 1024;
      this.#bill.request('Lambda requests', 1, facts.name);
      this.#bill.request('Lambda GB-seconds', (ms / 1000) * gigabytes, facts.name);
      if (ending.is !== 'timedOut') return;
      usage.timeouts += 1;
      this.#limits.note(`the timeout of ${facts.name} (${facts.timeoutMs / 1000} s)`);
    },
  };
}
