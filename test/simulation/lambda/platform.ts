import type { Context } from 'aws-lambda';
import { actAs, actor, type Life } from '../clock/life.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';

/** A function as it is deployed. */
export interface FunctionFacts {
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMegabytes?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each kind of function has events of its own
  readonly handler: (event: any, context: Context) => Promise<unknown>;
}

/** One run of a function. Times are epoch milliseconds. */
export interface Invocation {
  readonly id: number;
  readonly facts: FunctionFacts;
  readonly event: unknown;
  readonly startedAt: number;
  endedAt: number | undefined;
}

/** A copy of a function, which works on one event at a time. When it is over, none of its calls comes back. */
export interface Copy extends Life {
  readonly facts: FunctionFacts;
  invocation: Invocation | undefined;
  readonly stop: (how: 'died' | 'timedOut') => void;
}

/** How a run ended: `died` with its copy in the middle of it. */
export type Ending =
  | { readonly is: 'answered'; readonly answer: unknown }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'died' | 'timedOut' };

/** What a simulation may add to the platform. */
export interface PlatformHooks {
  /** How far the clock of a new copy is wrong, milliseconds. */
  readonly skewMs?: () => number;
  /** Waits for a place to run in; `isCold` where no copy is there that could be used again. */
  readonly admit?: (facts: FunctionFacts, isCold: boolean) => Promise<void>;
  readonly onStart?: (invocation: Invocation, copy: Copy) => void;
  readonly onEnd?: (invocation: Invocation, ending: Ending, copy: Copy) => void;
}

/** The copy that acts now; undefined outside of functions. */
export const copyAtWork = (): Copy | undefined => actor() as Copy | undefined;

/** Runs functions as Lambda does: a copy for each event at work, used again for the next, stopped at its timeout. */
export function lambdaPlatform(clock: VirtualClock, hooks: PlatformHooks = {}) {
  const idle = new Map<string, Copy[]>();
  let [copies, invocations] = [0, 0];

  function newCopy(facts: FunctionFacts): Copy {
    const copy: Copy = {
      name: `${facts.name}/${copies++}`,
      facts,
      skewMs: hooks.skewMs?.() ?? 0,
      isOver: false,
      invocation: undefined,
      stop: () => {},
    };
    return copy;
  }

  function begin(copy: Copy, event: unknown): { invocation: Invocation; ending: Promise<Ending> } {
    const { facts } = copy;
    const invocation = { id: invocations++, facts, event, startedAt: clock.now(), endedAt: undefined };
    copy.invocation = invocation;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const stop: Copy['stop'] = (how) => {
      copy.isOver = true;
      resolve({ is: how });
    };
    Object.assign(copy, { stop });
    const timer = clock.after(facts.timeoutMs, () => stop('timedOut'));
    const context = {
      awsRequestId: `request-${invocation.id}`,
      functionName: facts.name,
      getRemainingTimeInMillis: () => Math.max(0, invocation.startedAt + facts.timeoutMs - clock.now()),
    };
    hooks.onStart?.(invocation, copy);
    actAs(copy, () => facts.handler(event, context as Context)).then(
      (answer) => resolve({ is: 'answered', answer }),
      (error: unknown) => resolve({ is: 'failed', error }),
    );
    return { invocation, ending: promise.finally(() => clock.cancel(timer)) };
  }

  /** A copy that rests; one that died at rest, of what its last run had left behind, is not there any more. */
  function rested(name: string): Copy | undefined {
    const resting = idle.get(name) ?? [];
    let copy = resting.pop();
    while (copy?.isOver) copy = resting.pop();
    return copy;
  }

  return {
    /** Runs a function once; answers how that ended. Who calls is not the function: it acts for itself. */
    invoke: (facts: FunctionFacts, event: unknown): Promise<Ending> =>
      actAs(undefined, async () => {
        const resting = rested(facts.name);
        await hooks.admit?.(facts, resting === undefined);
        const copy = resting ?? newCopy(facts);
        const { invocation, ending: coming } = begin(copy, event);
        const ending = await coming;
        invocation.endedAt = clock.now();
        copy.invocation = undefined;
        hooks.onEnd?.(invocation, ending, copy);
        if (!copy.isOver) idle.set(facts.name, [...(idle.get(facts.name) ?? []), copy]);
        return ending;
      }),
  };
}

export type Platform = ReturnType<typeof lambdaPlatform>;
