import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Another process of this machine, which answers one question at a time. */
export interface Helper<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
  readonly pid: number | undefined;
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Starts a file that calls `answerParent`. It ends with us, whatever becomes of us. @param profiles where to leave a CPU profile */
export function startHelper<Question, Answer>(file: URL, environment: Record<string, string> = {}, profiles = '') {
  const execArgv = profiles === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const child = fork(file, {
    env: { ...process.env, ...environment },
    execArgv,
    serialization: 'advanced',
    // What functions print there is for CloudWatch.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const helper: Helper<Question, Answer> = {
    async ask(question) {
      child.send(question as object);
      const [answer] = await Promise.race([
        once(child, 'message'),
        ended.then(() => {
          throw new Error(`${file.pathname} ended before it answered`);
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

/** In the other process: answers every question. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ value }),
      (error: Error) => process.send?.({ failure: error.stack }),
    );
  });
}
