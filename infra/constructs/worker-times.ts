import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import { quickTimes, type WorkTimes } from '../../shared/domain/deliveries/times.ts';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

/** How long the functions of a queue may run, and how long the queue hides what they took: as its channel says. */
export function workerTimes(queue: string, values: DeploymentSettings): WorkTimes {
  const timing = {
    receiverTimeoutSeconds: settingValue(values, 'receiverTimeoutSeconds'),
    emailsPerSecond: settingValue(values, 'emailsPerSecond'),
    subscriptionsPerTask: settingValue(values, 'subscriptionsPerTask'),
  };
  if (queue === 'imports') return importTimes;
  return channelOfQueue(queue)?.times(timing) ?? quickTimes;
}
