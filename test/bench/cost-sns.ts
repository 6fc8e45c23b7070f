import type { PricedItem } from '../../infra/docs/prices.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import { type EventCost, millionOf } from './cost-event.ts';

const gigabyte = 2 ** 30;

/**
 * Returns the cost of publishing the same event through SNS, in dollars per million events. The cost includes API
 * Gateway, a function that publishes the event and runs as long as our function, a publish, a delivery per subscriber,
 * and the same data transfer.
 */
export function snsMillion({ details }: EventCost, subscribers: number): number {
  const ours = (item: PricedItem, by?: string): number =>
    details.reduce((sum, one) => (one.item === item && (by ?? one.by) === one.by ? sum + one.count : sum), 0);
  return (
    millionOf('API Gateway requests', 1) +
    millionOf('CloudWatch Logs GB', accessLogBytes / gigabyte) +
    millionOf('SNS publishes', 1) +
    millionOf('SNS http deliveries', subscribers) +
    millionOf('data out GB', ours('data out GB')) +
    millionOf('Lambda requests', 1) +
    millionOf('Lambda GB-seconds', ours('Lambda GB-seconds', 'publishEvent'))
  );
}
