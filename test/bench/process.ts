import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A local process that handles one request at a time. */
export interface Helper<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
  readonly pid: number | undefined;
  /** Kills the process immediately. */
  kill(): Promise<void>;
}

/**
 * Starts a child process that runs a file, which must call `answerParent`. The child process ends when this process
 * ends.
 */
export function startHelper<Question, Answer>(file: URL, environment: Record<string, string> = {}) {
  const child = fork(file, {
    env: { ...process.env, ...environment },
    serialization: 'advanced',
    // Standard output is ignored, because functions write it for CloudWatch.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const helper: Helper<Question, Answer> = {
    async ask(question) {
      child.send(question as object);
      const [answer] = await Promise.race([
        once(child, 'message'),
        ended.then(() => {
          throw new Error(`the process of ${file.pathname} ended before it responded`);
        }),
      ]);
      if (answer.failure !== undefined) throw new Error(answer.failure);
      return answer.value;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  return helper;
}

/** Handles every request from the parent process. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ value }),
      (error: Error) => process.send?.({ failure: error.stack }),
    );
  });
}
