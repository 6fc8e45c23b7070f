import { channelOfQueue } from '../domain/deliveries/channels.ts';
import { quickTimes } from '../domain/deliveries/times.ts';
import { copiesOf } from './concurrency.ts';
import type { DeliveryQueue } from './queue-names.ts';
import type { SettingValues } from './settings.ts';
import { workerLanes } from './workers.ts';

/** The settings that determine the throughput of each lane. */
export const paceSettings = ['receiverTimeoutSeconds', 'emailsPerSecond', 'concurrency'] as const;

/**
 * Returns the number of messages per second that workers process from a queue if every batch takes the maximum time.
 */
export function minPerSecond(queue: DeliveryQueue, settings: SettingValues<(typeof paceSettings)[number]>): number {
  const lane = workerLanes.find((one) => one.queue === queue);
  const { functionSeconds } = channelOfQueue(queue)?.times(settings) ?? quickTimes;
  if (lane === undefined) return 1;
  return (copiesOf(lane, settings.concurrency) * lane.batchSize) / functionSeconds;
}
