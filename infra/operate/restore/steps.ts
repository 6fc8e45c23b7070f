/** A step of a restore. It can be repeated: an interrupted step continues or starts again. */
export interface Step {
  /** The action, as an imperative. */
  readonly does: string;
  /** Reads from AWS whether the step is done, so that an interrupted restore needs no file of its own. */
  readonly isDone: () => Promise<boolean>;
  readonly run: () => Promise<void>;
}

export interface Plan {
  /** One line that names the restored resource. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** Consequences and further tasks for the operator. */
  readonly notes: readonly string[];
}

export interface Terminal {
  readonly say: (line: string) => void;
  /** Asks the operator to type the name of the stage. */
  readonly confirm: (question: string) => Promise<boolean>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export const pollMilliseconds = 10_000;

/** Repeats an AWS call while it fails with an error of this name, at most `tries` times. */
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

/** Thrown to end a restore that the operator continues later with the same command. */
export class Paused extends Error {}

/** Prints the plan, and runs the steps that are not done if the operator confirms. */
export async function runPlan({ title, steps, notes }: Plan, isDryRun: boolean, terminal: Terminal): Promise<void> {
  const { say } = terminal;
  const done = await Promise.all(steps.map((step) => step.isDone()));
  say(`${title}:`);
  for (const [index, { does }] of steps.entries())
    say(`${String(index + 1).padStart(3)}. ${done[index] ? 'done: ' : ''}${does}`);
  for (const note of notes) say(note);
  if (isDryRun) return say('Nothing was changed.');
  if (!done.includes(false)) return say('Every step is done.');
  if (!(await terminal.confirm('Run the steps that are not done?'))) return say('Nothing was changed.');
  for (const [index, { does, run }] of steps.entries()) {
    if (done[index]) continue;
    say(`${index + 1}. ${does}`);
    await run();
  }
  say('Every step is done.');
}
