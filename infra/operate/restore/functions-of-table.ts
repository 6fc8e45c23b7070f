import { InvokeCommand } from '@aws-sdk/client-lambda';
import { jobOutput } from '../../../shared/contract/deployment-names.ts';
import { reindexPersons, sweep } from '../../../shared/contract/jobs.ts';
import type { TableName } from '../../../shared/contract/tables.ts';
import { affectedFunctions } from './affected-functions.ts';
import type { DeployedStage } from './deployed-stage.ts';
import { describeDueWork } from './due-work.ts';
import { Paused, type Step } from './steps.ts';

const guide = 'infra/runbook/restore.md#uins-issued-since-that-moment';

/** What the operator must do before the workers start, by table. */
const beforeWorkers: Readonly<Partial<Record<TableName, string>>> = {
  persons: `Put back the UINs issued since that moment (${guide}). Are they back?`,
};

/** Runs an operator's job of the service, with no input. */
export async function runJob({ clients, output }: DeployedStage, job: { readonly job: string }): Promise<void> {
  const FunctionName = await output(jobOutput(job));
  const { FunctionError } = await clients.lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  if (FunctionError !== undefined) throw new Error(`${job.job} failed: ${FunctionError}`);
}

export interface FunctionSteps {
  readonly stopping: Step[];
  readonly starting: Step[];
}

/** The steps that stop the affected functions, and those that start them again. The sweeper stops first and starts last. */
export function functionSteps(stage: DeployedStage, name: TableName, target: string): FunctionSteps {
  const { functions, clients, terminal } = stage;
  if (functions === undefined) return { stopping: [], starting: [] };
  const { usesSweeper, jobs, api, workers } = affectedFunctions(name);
  const confirm = async (question: string) => {
    if (await terminal.confirm(question)) return;
    throw new Paused('Run the same command again to continue.');
  };
  const stop = (names: readonly string[], effect: string): Step => ({
    does: `stop ${names.join(', ')}: ${effect}`,
    isDone: async () => (await functions.stopped(names)).length === names.length,
    run: () => functions.stop(names),
  });
  const start = (names: readonly string[]): Step => ({
    does: `start ${names.join(', ')}`,
    isDone: async () => (await functions.stopped(names)).length === 0,
    run: () => functions.start(names),
  });
  const hold: Step = {
    does: `hold ${workers.join(', ')}: messages wait in their queues`,
    isDone: async () => (await functions.held(workers)).length === workers.length,
    run: () => functions.hold(workers),
  };
  const question = beforeWorkers[name];
  const areReleased = async () => (await functions.held(workers)).length === 0;
  const reindex: Step = { does: 'run reindexPersons', isDone: areReleased, run: () => runJob(stage, reindexPersons) };
  const release: Step = {
    does: `${question === undefined ? '' : 'wait for your confirmation, then '}release ${workers.join(', ')}`,
    isDone: areReleased,
    async run() {
      if (question !== undefined) await confirm(question);
      await functions.release(workers);
    },
  };
  const startSweeper = start([sweep.job]);
  const review: Step = {
    ...startSweeper,
    does: `show the due work, wait for your confirmation, then start ${sweep.job}`,
    async run() {
      for (const line of await describeDueWork(clients.dynamodb, target, Date.now())) terminal.say(line);
      terminal.say('The sweeper sends due work within minutes, also to subscribers who received it since that moment.');
      await confirm('Start the sweeper?');
      await startSweeper.run();
    },
  };
  return {
    stopping: [
      ...(usesSweeper ? [stop([sweep.job], 'lost work stays where it is')] : []),
      ...(jobs.length > 0 ? [stop(jobs, 'the next run catches up')] : []),
      ...(api.length > 0 ? [stop(api, 'callers get 5xx responses')] : []),
      ...(workers.length > 0 ? [hold] : []),
    ],
    starting: [
      ...(api.length > 0 ? [start(api)] : []),
      ...(name === 'persons' ? [reindex] : []),
      ...(workers.length > 0 ? [release] : []),
      ...(jobs.length > 0 ? [start(jobs)] : []),
      ...(usesSweeper ? [name === 'deliveries' ? review : startSweeper] : []),
    ],
  };
}
