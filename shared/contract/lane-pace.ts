import { channelOfQueue } from '../domain/deliveries/channels.ts';
import { quickTimes } from '../domain/deliveries/times.ts';
import { copiesOf } from './concurrency.ts';
import type { DeliveryQueue } from './queues.ts';
import type { SettingValues } from './settings.ts';
import { workerLanes } from './workers.ts';

/** The settings that the pace of lanes follows. */
export const paceSettings = [
  'receiverTimeoutSeconds',
  'emailsPerSecond',
  'subscriptionsPerTask',
  'concurrency',
] as const;

/** How many messages the workers of a queue take off it in a second at the least: each batch takes them all their time. */
export function leastPerSecond(queue: DeliveryQueue, settings: SettingValues<(typeof paceSettings)[number]>): number {
  const lane = workerLanes.find((one) => one.queue === queue);
  const { functionSeconds } = channelOfQueue(queue)?.times(settings) ?? quickTimes;
  if (lane === undefined) return 1;
  return (copiesOf(lane.lane, settings.concurrency) * lane.batchSize) / functionSeconds;
}
