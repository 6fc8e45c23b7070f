import type { Context } from 'aws-lambda';
import { type Actor, currentActor, runAs } from '../clock/actor.ts';
import type { VirtualClock } from '../clock/virtual-clock.ts';

export interface FunctionFacts {
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMegabytes?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each kind of function has its own event type
  readonly handler: (event: any, context: Context) => Promise<unknown>;
}

/** A function run. All times are epoch milliseconds. */
export interface Invocation {
  readonly id: number;
  readonly facts: FunctionFacts;
  readonly event: unknown;
  readonly startedAt: number;
  endedAt: number | undefined;
}

/**
 * A function instance. An instance processes one event at a time. Calls from an instance that has ended never return.
 */
export interface Instance extends Actor {
  readonly facts: FunctionFacts;
  invocation: Invocation | undefined;
  readonly stop: (how: 'crashed' | 'timedOut') => void;
}

/** The outcome of a run. A run fails if the function throws an error, and crashes if the instance crashes. */
export type Ending =
  | { readonly is: 'returned'; readonly result: unknown }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'crashed' | 'timedOut' };

export interface PlatformHooks {
  /** Returns the number of milliseconds by which the clock of a new instance is ahead. */
  readonly skewMs?: () => number;
  /** Waits until a run may start. `isCold` is true if no idle instance exists. */
  readonly admit?: (facts: FunctionFacts, isCold: boolean) => Promise<void>;
  /** Returns whether an instance ends after its run. Calls that the run did not wait for are then lost. */
  readonly retires?: () => boolean;
  readonly onStart?: (invocation: Invocation, instance: Instance) => void;
  readonly onEnd?: (invocation: Invocation, ending: Ending, instance: Instance) => void;
}

/** Returns the current instance, or undefined if no simulated function is running. */
export const currentInstance = (): Instance | undefined => currentActor() as Instance | undefined;

/**
 * Returns a platform that runs functions as Lambda does, with one instance per concurrent event. Idle instances are
 * reused, and runs are stopped at the timeout.
 */
export function lambdaPlatform(clock: VirtualClock, hooks: PlatformHooks = {}) {
  const idle = new Map<string, Instance[]>();
  let [instances, invocations] = [0, 0];

  function newInstance(facts: FunctionFacts): Instance {
    const instance: Instance = {
      name: `${facts.name}/${instances++}`,
      facts,
      skewMs: hooks.skewMs?.() ?? 0,
      isOver: false,
      invocation: undefined,
      stop: () => {},
    };
    return instance;
  }

  function begin(instance: Instance, event: unknown): { invocation: Invocation; ending: Promise<Ending> } {
    const { facts } = instance;
    const invocation = { id: invocations++, facts, event, startedAt: clock.now(), endedAt: undefined };
    instance.invocation = invocation;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    const stop: Instance['stop'] = (how) => {
      instance.isOver = true;
      resolve({ is: how });
    };
    Object.assign(instance, { stop });
    const timer = clock.after(facts.timeoutMs, () => stop('timedOut'));
    const context = {
      awsRequestId: `request-${invocation.id}`,
      functionName: facts.name,
      getRemainingTimeInMillis: () => Math.max(0, invocation.startedAt + facts.timeoutMs - clock.now()),
    };
    hooks.onStart?.(invocation, instance);
    runAs(instance, () => facts.handler(event, context as Context)).then(
      (result) => resolve({ is: 'returned', result }),
      (error: unknown) => resolve({ is: 'failed', error }),
    );
    return { invocation, ending: promise.finally(() => clock.cancel(timer)) };
  }

  /** Removes and returns an idle instance, if one exists. Discards instances that crashed while idle. */
  function rested(name: string): Instance | undefined {
    const idleInstances = idle.get(name) ?? [];
    let instance = idleInstances.pop();
    while (instance?.isOver) instance = idleInstances.pop();
    return instance;
  }

  return {
    /** Runs a function once and returns the outcome of the run. The run does not depend on the actor that starts it. */
    invoke: (facts: FunctionFacts, event: unknown): Promise<Ending> =>
      runAs(undefined, async () => {
        const idleInstances = rested(facts.name);
        await hooks.admit?.(facts, idleInstances === undefined);
        const instance = idleInstances ?? newInstance(facts);
        const { invocation, ending: pending } = begin(instance, event);
        const ending = await pending;
        invocation.endedAt = clock.now();
        instance.invocation = undefined;
        hooks.onEnd?.(invocation, ending, instance);
        if (hooks.retires?.()) instance.isOver = true;
        if (!instance.isOver) idle.set(facts.name, [...(idle.get(facts.name) ?? []), instance]);
        return ending;
      }),
  };
}

export type Platform = ReturnType<typeof lambdaPlatform>;
