import { besideStacks, namesOf, rollbackOutput } from '../../../shared/contract/deployment-names.ts';
import type { openDeployed } from './deployed.ts';

/** The alarms that can roll back an update, and the minutes after it in which they can. */
export interface Rollback {
  readonly alarms: readonly string[];
  readonly minutes: number;
}

/** The time in which each of the alarms is evaluated at least twice. */
export const defaultMinutes = 15;

/** Reads the ARNs of the alarms that can roll back an update. The first deployment of a stage has none. */
export async function findRollback(
  stage: string,
  minutes: number,
  deployed: Pick<ReturnType<typeof openDeployed>, 'output'>,
): Promise<Rollback> {
  const [, , observability] = besideStacks(namesOf(stage).stack);
  const alarms = minutes === 0 ? undefined : await deployed.output(observability, rollbackOutput);
  return { alarms: alarms?.split(',') ?? [], minutes };
}

const trigger = (alarm: string): string => `--rollback-trigger-alarm-arns=${alarm}`;

/**
 * Returns the arguments of each `cdk deploy`. CloudFormation rolls a stack back if an alarm is raised during the
 * update or the minutes after it ("Roll back your CloudFormation stack on alarm breach with rollback triggers", AWS
 * CloudFormation User Guide). The update fails if an alarm is missing, so the stack with the alarms has no triggers.
 * CloudFormation also keeps the triggers for later updates ("RollbackConfiguration", API Reference), so `none`
 * removes them.
 */
export const deployArguments = (stage: string, { alarms, minutes }: Rollback): readonly (readonly string[])[] =>
  alarms.length === 0
    ? [['--all', trigger('none')]]
    : [[namesOf(stage).stack, ...alarms.map(trigger), `--monitoring-time-minutes=${minutes}`], ['--all']];
