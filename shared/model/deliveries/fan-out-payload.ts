import * as z from 'zod/mini';
import { referredNotification } from '../../domain/deliveries/message.ts';
import { protocols } from '../../domain/subscriptions/subscription.ts';

/** A part of a large topic: the buckets `from` to `to` (exclusive) of `2 ** bits`, by the leading bits of the uuid. */
const segment = z.object({ bits: z.int(), from: z.int(), to: z.int() });
export type Segment = z.infer<typeof segment>;

/**
 * Work for fan-out: one publication, which brings its whole body, or a segment or an audit of it, to be turned into tasks.
 * `publicationId` differs for each call of publish. An audit sends only the tasks that the ledger does not know.
 */
export const fanOutPayload = z.object({
  publicationId: z.string(),
  notification: referredNotification,
  segment: z.optional(segment),
  isAudit: z.optional(z.boolean()),
  /** Of an audit before which nothing was fanned out: the journal knows nothing of the event. */
  isUnbegun: z.optional(z.boolean()),
  /** Protocols that an audit sends nothing to now: what it finds missing of them is open. */
  leftOut: z.optional(z.readonly(z.array(z.enum(protocols)))),
  /** Of an audit in segments, how many tasks those before this one found open. */
  foundOpen: z.optional(z.int()),
});
export type FanOutPayload = z.infer<typeof fanOutPayload>;
