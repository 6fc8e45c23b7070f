import type { sweep } from '../../contract/jobs.ts';
import type { OnRowError } from '../../storage/deliveries/rows.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { Tools } from '../tools.ts';

type JobTools = Tools<(typeof sweep)['uses'][number], 'deliveryDays'>;

/** The queues whose load the sweeper reads. */
export type LookedQueue = keyof JobTools['backlog'];

export interface SweepTools extends JobTools, Pick<DeliveryContext, 'onFailed'> {
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns the lowest rate at which the workers drain a queue. */
  readonly leastPerSecond: (queue: LookedQueue) => number;
  /** Called for each row that failed or is stuck. A failed row stays due. */
  readonly onError: OnRowError;
  /** Reports for how many milliseconds the oldest row has been due; 0 if no row is due. */
  readonly onOldest: (dueForMs: number) => void;
}
