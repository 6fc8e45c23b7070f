import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { Copy, FunctionFacts, PlatformHooks } from '../lambda/platform.ts';
import { copyAtWork } from '../lambda/platform.ts';
import { coldStartMs, megabytesOfCore } from './costs.ts';
import type { Limits } from './limits.ts';

/** What one function has used. */
export interface Usage {
  invocations: number;
  coldStarts: number;
  timeouts: number;
  megabyteMs: number;
  busyMs: number;
  cpuMs: number;
  atWork: number;
  mostAtWork: number;
}

const newUsage = (): Usage => ({
  ...{ invocations: 0, coldStarts: 0, timeouts: 0, megabyteMs: 0, busyMs: 0, cpuMs: 0 },
  ...{ atWork: 0, mostAtWork: 0 },
});

const defaultMegabytes = 512;

/** The account's functions: how many run at once, what a copy's processor takes, and what it all uses. */
export class Compute {
  readonly usage = new Map<string, Usage>();
  readonly #clock: VirtualClock;
  readonly #limits: Limits;
  readonly #most: number;
  readonly #busyUntil = new WeakMap<Copy, number>();
  readonly #waiting: (() => void)[] = [];
  #atWork = 0;
  mostAtWork = 0;

  constructor(clock: VirtualClock, limits: Limits, most: number) {
    this.#clock = clock;
    this.#limits = limits;
    this.#most = most;
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

  async #admit(facts: FunctionFacts, isCold: boolean): Promise<void> {
    if (this.#atWork >= this.#most) {
      this.#limits.note(`the account's concurrency of ${this.#most}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#atWork += 1;
    this.mostAtWork = Math.max(this.mostAtWork, this.#atWork);
    if (!isCold) return;
    this.usageOf(facts.name).coldStarts += 1;
    await this.#clock.sleep(coldStartMs);
  }

  /** A place is free: whoever waits longest has it. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#atWork -= 1;
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
      this.#release();
      const usage = this.usageOf(facts.name);
      const ms = Math.ceil(this.#clock.now() - startedAt);
      usage.atWork -= 1;
      usage.invocations += 1;
      usage.busyMs += ms;
      usage.megabyteMs += ms * (facts.memoryMegabytes ?? defaultMegabytes);
      if (ending.is !== 'timedOut') return;
      usage.timeouts += 1;
      this.#limits.note(`the timeout of ${facts.name} (${facts.timeoutMs / 1000} s)`);
    },
  };
}
