import * as z from 'zod/mini';
import { content } from '../../domain/deliveries/message.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';

/**
 * One message for up to about twenty subscriptions of one protocol, or (`isSingle`) for one, with a ledger row of its own.
 * `attempt` 0 is the first.
 */
export const deliveryTask = z.object({
  taskKey: z.string(),
  protocol: z.enum(protocols),
  isSingle: z.boolean(),
  attempt: z.int(),
  /** How the message is cut into buckets, which says where in the ledger the task's row lies. */
  bits: z.int(),
  subscriptionUuids: z.array(z.string()),
  content,
  /** How often it was put off because our stores had no time for it. */
  putOffs: z.optional(z.int()),
});
export type DeliveryTask = z.infer<typeof deliveryTask>;

/** A task that waits in the retry queue. `notBefore` is epoch milliseconds. */
export const waitingTask = z.object({ notBefore: z.int(), task: deliveryTask });
export type WaitingTask = z.infer<typeof waitingTask>;
