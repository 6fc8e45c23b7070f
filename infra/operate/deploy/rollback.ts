import { besideStacks, namesOf, rollbackOutput } from '../../../shared/contract/deployment-names.ts';
import type { openDeployed } from './deployed.ts';

/** The alarms that can roll back an update, and the number of minutes for which they are monitored after the update. */
export interface Rollback {
  readonly alarms: readonly string[];
  readonly minutes: number;
}

/** The default monitoring time, during which each alarm is evaluated at least twice. */
export const defaultMinutes = 15;

/** Reads the ARNs of the alarms that can roll back an update; none before the first deployment. */
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
 * Returns the arguments of each `cdk deploy`. CloudFormation rolls back a stack if an alarm is raised during the update
 * or within the monitoring time ("Roll back your CloudFormation stack on alarm breach with rollback triggers", AWS
 * CloudFormation User Guide). The stack that contains the alarms has no triggers, because an update fails if the alarm
 * of a trigger does not exist yet. The value `none` removes triggers, which CloudFormation otherwise keeps for later
 * updates ("RollbackConfiguration", API Reference).
 */
export const deployArguments = (stage: string, { alarms, minutes }: Rollback): readonly (readonly string[])[] =>
  alarms.length === 0
    ? [['--all', trigger('none')]]
    : [[namesOf(stage).stack, ...alarms.map(trigger), `--monitoring-time-minutes=${minutes}`], ['--all']];
