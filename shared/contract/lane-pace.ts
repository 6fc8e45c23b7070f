import { channelOfQueue } from '../domain/deliveries/channels.ts';
import { quickTimes } from '../domain/deliveries/times.ts';
import { copiesOf } from './concurrency.ts';
import type { DeliveryQueue } from './queue-names.ts';
import type { SettingValues } from './settings.ts';
import { workerLanes } from './workers.ts';

/** The settings that determine the pace of lanes. */
export const paceSettings = ['receiverTimeoutSeconds', 'emailsPerSecond', 'concurrency'] as const;

/**
 * Returns the lowest number of messages per second that workers receive from a queue, when every batch takes longest.
 */
export function minPerSecond(queue: DeliveryQueue, settings: SettingValues<(typeof paceSettings)[number]>): number {
  const lane = workerLanes.find((one) => one.queue === queue);
  const { functionSeconds } = channelOfQueue(queue)?.times(settings) ?? quickTimes;
  if (lane === undefined) return 1;
  return (copiesOf(lane.lane, settings.concurrency) * lane.batchSize) / functionSeconds;
}
