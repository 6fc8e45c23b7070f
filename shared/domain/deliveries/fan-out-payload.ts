import * as z from 'zod/mini';
import { protocols } from '../subscriptions/subscription.ts';
import { carriedNotification } from './message.ts';

/** The shards from `from` to `to` (exclusive) of a large topic. */
const segment = z.object({ shardBits: z.int(), from: z.int(), to: z.int() });
export type Segment = z.infer<typeof segment>;

/**
 * Work for fan-out: a publication, one of its segments, or its reconciliation. Each call of publish has its own
 * `publicationId`. A reconciliation sends only tasks with missing outcomes.
 */
export const fanOutPayload = z.object({
  publicationId: z.string(),
  notification: carriedNotification,
  segment: z.optional(segment),
  isReconciliation: z.optional(z.boolean()),
  /** A reconciliation of a message that was never fanned out, so its journal rows are missing too. */
  isFirstFanOut: z.optional(z.boolean()),
  /** Protocols that this reconciliation skips. Their missing tasks count as open. */
  skippedProtocols: z.optional(z.readonly(z.array(z.enum(protocols)))),
  openTasksFound: z.optional(z.int()),
});
export type FanOutPayload = z.infer<typeof fanOutPayload>;
