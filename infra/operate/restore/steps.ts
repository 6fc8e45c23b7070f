/** A step of a restore. An interrupted step can be run again. */
export interface Step {
  /** The action, as an imperative. */
  readonly does: string;
  /** Reads from AWS whether the step is done, so that a restore needs no state file. */
  readonly isDone: () => Promise<boolean>;
  readonly run: () => Promise<void>;
}

export interface Plan {
  /** A line that describes the whole restore. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** Notes about the consequences of the restore, and about further tasks for the operator. */
  readonly notes: readonly string[];
}

export interface Terminal {
  readonly say: (line: string) => void;
  /** Asks the operator to confirm by typing the name of the stage. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export const pollMilliseconds = 10_000;

/** Tries an AWS call up to `tries` times, as long as it fails with an error of the given name. */
export async function retryOn<T>(
  error: string,
  tries: number,
  { sleep }: Terminal,
  call: () => Promise<T>,
): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await call();
    } catch (thrown) {
      if (left === 0 || !(thrown as Error).name.includes(error)) throw thrown;
      await sleep(pollMilliseconds);
    }
  }
}

/** Thrown to pause a restore. To continue, the operator runs the same command again. */
export class Paused extends Error {}

/** Prints the plan. If the operator confirms, runs the steps that are not yet done. */
export async function runPlan({ title, steps, notes }: Plan, isDryRun: boolean, terminal: Terminal): Promise<void> {
  const { say } = terminal;
  const done = await Promise.all(steps.map((step) => step.isDone()));
  say(`${title}:`);
  for (const [index, { does }] of steps.entries())
    say(`${String(index + 1).padStart(3)}. ${done[index] ? 'done: ' : ''}${does}`);
  for (const note of notes) say(note);
  if (isDryRun) return say('Nothing was changed.');
  if (!done.includes(false)) return say('Every step is done.');
  if (!(await terminal.confirm('Run the remaining steps?'))) return say('Nothing was changed.');
  for (const [index, { does, run }] of steps.entries()) {
    if (done[index]) continue;
    say(`${index + 1}. ${does}`);
    await run();
  }
  say('Every step is done.');
}
