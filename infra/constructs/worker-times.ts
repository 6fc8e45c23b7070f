import { channelOfQueue } from '../../shared/domain/deliveries/channels.ts';
import { quickTimes, type WorkTimes } from '../../shared/domain/deliveries/times.ts';
import { importTimes } from '../../shared/domain/imports/import-limits.ts';
import { type DeploymentSettings, settingValue } from '../settings/settings.ts';

/** Returns the timeout of the functions that read a queue, and the queue's visibility timeout. */
export function workerTimes(queue: string, values: DeploymentSettings): WorkTimes {
  const timing = {
    receiverTimeoutSeconds: settingValue(values, 'receiverTimeoutSeconds'),
    emailsPerSecond: settingValue(values, 'emailsPerSecond'),
  };
  if (queue === 'imports') return importTimes;
  return channelOfQueue(queue)?.times(timing) ?? quickTimes;
}
