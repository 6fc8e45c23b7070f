import * as z from 'zod/mini';
import { defaultPolicy, policyParameter } from './policy.ts';
import { subjectNames } from './subjects.ts';
import { deliveryFormats } from './subscription.ts';

/** Returns the change that a merge patch describes at `now` (epoch milliseconds). */
export const changeOf = ({ policy, subjects, deliveryFormat }: SubscriptionPatch, now: number) => ({
  ...(policy !== undefined && (policy ?? defaultPolicy)),
  ...(subjects !== undefined && { subjects: subjects ?? [], filteredSince: now }),
  ...(deliveryFormat !== undefined && { deliveryFormat }),
});
/** The attributes that a subscriber may change. Missing attributes stay unchanged. */
export type SubscriptionChange = ReturnType<typeof changeOf>;

/** A change as a merge patch (RFC 7396). `null` restores the default policy or format, or removes the filter. */
export const subscriptionPatch = z.strictObject(
  {
    policy: z.optional(z.nullable(policyParameter)),
    subjects: z.optional(z.nullable(subjectNames)),
    deliveryFormat: z.optional(
      z.nullable(z.enum(deliveryFormats, { error: 'must be raw or envelope; null restores the default' })),
    ),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? 'may contain only policy, subjects and deliveryFormat' : 'must be a JSON object',
  },
);
export type SubscriptionPatch = z.infer<typeof subscriptionPatch>;
