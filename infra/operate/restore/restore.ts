import { bucketPlan } from './bucket.ts';
import { readDeployedStage, type Tools } from './deployed-stage.ts';
import type { RestoreOptions } from './options.ts';
import { queuePlan } from './queue.ts';
import { secretPlan } from './secret.ts';
import { runPlan } from './steps.ts';
import { tablePlan } from './table.ts';

const plans = { table: tablePlan, bucket: bucketPlan, secret: secretPlan, queue: queuePlan } as const;

/**
 * Prints the steps of a restore, and runs the steps that are not yet done. The state of the resources on AWS shows
 * which steps are done.
 * @throws OptionError if the options are not valid for the resource
 */
export async function restore(options: RestoreOptions, tools: Tools): Promise<void> {
  const plan = await plans[options.kind](await readDeployedStage(tools), options);
  await runPlan(plan, options.isDryRun, tools.terminal);
}
