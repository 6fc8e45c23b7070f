import { settings } from '../shared/contract/settings.ts';
import { channelOfQueue } from '../shared/domain/deliveries/channels.ts';
import { quickTimes, type WorkTimes } from '../shared/domain/deliveries/times.ts';
import type { DeploymentSettings } from './settings.ts';

/** How long the functions of a queue may run, and how long the queue hides what they took: as its channel says. */
export function workerTimes(queue: string, values: DeploymentSettings): WorkTimes {
  const timing = {
    receiverTimeoutSeconds: settings.receiverTimeoutSeconds.schema().parse(values.receiverTimeoutSeconds),
    emailsPerSecond: settings.emailsPerSecond.schema().parse(values.emailsPerSecond),
    subscriptionsPerTask: settings.subscriptionsPerTask.schema().parse(values.subscriptionsPerTask),
  };
  return channelOfQueue(queue)?.times(timing) ?? quickTimes;
}
