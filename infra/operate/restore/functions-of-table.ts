import { InvokeCommand } from '@aws-sdk/client-lambda';
import { jobOutput } from '../../../shared/contract/deployment-names.ts';
import { reindexPersons, sweep } from '../../../shared/contract/jobs.ts';
import type { TableName } from '../../../shared/contract/tables.ts';
import { affectedFunctions } from './affected-functions.ts';
import type { DeployedStage } from './deployed-stage.ts';
import { describeDueWork } from './due-work.ts';
import { copyNewPersons } from './new-persons.ts';
import { Paused, type Step } from './steps.ts';

/** Runs a job of the service without input. */
export async function runJob({ clients, output }: DeployedStage, job: { readonly job: string }): Promise<void> {
  const FunctionName = await output(jobOutput(job));
  const { FunctionError } = await clients.lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  if (FunctionError !== undefined) throw new Error(`${job.job} failed: ${FunctionError}`);
}

/** The steps that stop and start the affected functions. Lists of steps are empty if no function is affected. */
export interface FunctionSteps {
  /** The first step stops the sweeper. */
  readonly stopping: readonly Step[];
  readonly startApi: readonly Step[];
  readonly startWorkers: readonly Step[];
  readonly startSweeper: readonly Step[];
}

export function functionSteps({ functions }: DeployedStage, name: TableName): FunctionSteps {
  if (functions === undefined) return { stopping: [], startApi: [], startWorkers: [], startSweeper: [] };
  const { usesSweeper, jobs, api, workers } = affectedFunctions(name);
  const sweeper = usesSweeper ? [sweep.job] : [];
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
  const release: Step = {
    does: `release ${workers.join(', ')}`,
    isDone: async () => (await functions.held(workers)).length === 0,
    run: () => functions.release(workers),
  };
  const ifAny = (names: readonly string[], step: Step): Step[] => (names.length > 0 ? [step] : []);
  return {
    stopping: [
      ...ifAny(sweeper, stop(sweeper, 'lost work waits')),
      ...ifAny(jobs, stop(jobs, 'the next run catches up')),
      ...ifAny(api, stop(api, 'callers get 5xx responses')),
      ...ifAny(workers, hold),
    ],
    startApi: ifAny(api, start(api)),
    startWorkers: [...ifAny(workers, release), ...ifAny(jobs, start(jobs))],
    startSweeper: ifAny(sweeper, start(sweeper)),
  };
}

/**
 * Returns the step that shows the operator what the sweeper will send, and starts the sweeper only after confirmation.
 */
export function reviewStep({ clients, terminal }: DeployedStage, table: string, startSweeper: Step): Step {
  return {
    does: `show the due work, wait for your confirmation, then ${startSweeper.does}`,
    isDone: startSweeper.isDone,
    async run() {
      for (const line of await describeDueWork(clients.dynamodb, table, Date.now())) terminal.say(line);
      terminal.say(
        'The sweeper sends due events within minutes, even to subscribers who received them after the restore point.',
      );
      if (!(await terminal.confirm('Start the sweeper?'))) throw new Paused('Run the same command again to continue.');
      await startSweeper.run();
    },
  };
}

/**
 * Returns the steps for the `persons` table that run before the workers start. Without these steps, an import would
 * register persons twice.
 * @param old the replaced table, if it still exists
 */
export function personSteps(stage: DeployedStage, old: string | undefined, restored: string, release: Step): Step[] {
  const { clients, terminal } = stage;
  const copy: Step = {
    does: `copy the persons that were registered after the restore point from ${old}, if you confirm`,
    isDone: release.isDone,
    async run() {
      if (!(await terminal.confirm('Copy the persons that were registered after the restore point?'))) return;
      const count = await copyNewPersons(clients.dynamodb, old ?? '', restored);
      terminal.say(`${count} persons copied.`);
    },
  };
  const reindex: Step = {
    does: `run ${reindexPersons.job}`,
    isDone: release.isDone,
    run: () => runJob(stage, reindexPersons),
  };
  return old === undefined ? [reindex] : [copy, reindex];
}
