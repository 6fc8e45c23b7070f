import type { PricedItem } from '../../infra/docs/prices.ts';
import { accessLogBytes } from '../simulation/scale/costs.ts';
import { type EventCost, millionOf } from './cost-event.ts';

const gigabyte = 2 ** 30;

/**
 * Returns the cost of publishing the same event through SNS, in dollars per million events. The cost includes API
 * Gateway, a publish, a delivery per subscriber, and the same data transfer. With `lambda`, a function publishes the
 * event and runs as long as our function. With `service`, API Gateway calls SNS directly and checks nothing.
 */
export function snsMillion({ details }: EventCost, subscribers: number) {
  const ours = (item: PricedItem, by?: string): number =>
    details.reduce((sum, one) => (one.item === item && (by ?? one.by) === one.by ? sum + one.count : sum), 0);
  const service =
    millionOf('API Gateway requests', 1) +
    millionOf('CloudWatch Logs GB', accessLogBytes / gigabyte) +
    millionOf('SNS publishes', 1) +
    millionOf('SNS http deliveries', subscribers) +
    millionOf('data out GB', ours('data out GB'));
  const lambda =
    millionOf('Lambda requests', 1) + millionOf('Lambda GB-seconds', ours('Lambda GB-seconds', 'publishEvent'));
  return { service, lambda: service + lambda };
}
