import * as z from 'zod/mini';
import { policyParameter } from '../../domain/subscriptions/policy.ts';
import { subjectNames } from '../../domain/subscriptions/subjects.ts';

/** What may be changed of a subscription, as a merge patch (RFC 7396): `null` is the default policy, or no filter. */
export const subscriptionPatch = z.strictObject(
  { policy: z.optional(z.nullable(policyParameter)), subjects: z.optional(z.nullable(subjectNames)) },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? 'may have policy and subjects, and nothing else' : 'must be a JSON object',
  },
);
export type SubscriptionPatch = z.infer<typeof subscriptionPatch>;
