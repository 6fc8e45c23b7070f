import * as z from 'zod/mini';

/** Work for fan-out: the next step of a subscription's recovery. `stepId` is that of its row; without it, whichever stands there. */
export const recoveryPayload = z.object({ recoveryOf: z.string(), stepId: z.optional(z.string()) });
export type RecoveryPayload = z.infer<typeof recoveryPayload>;
