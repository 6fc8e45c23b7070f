import * as z from 'zod/mini';

/**
 * OSIA's delivery policy: the number of seconds between attempts, and the maximum number of retries (-1 means
 * unlimited).
 */
export interface Policy {
  readonly countdownSeconds: number;
  readonly maxRetries: number;
}

export const defaultPolicy: Policy = { countdownSeconds: 3600, maxRetries: 168 };

const limits = { countdownSeconds: [1, 1_209_600], maxRetries: [-1, 100_000] } as const;
const fieldOf = { countdown: 'countdownSeconds', max: 'maxRetries' } as const;
const INTEGER = /^-?\d{1,9}$/;

const within = (field: keyof Policy, value: number): boolean => value >= limits[field][0] && value <= limits[field][1];

/**
 * Parses a policy such as `3600,168` or `countdown=3600,max=168`. A missing value is replaced by its default. Named
 * values may be in any order.
 * @returns undefined if the text is invalid or a number is out of range
 */
export function parsePolicy(text: string): Policy | undefined {
  const elements = text.split(',').map((element) => element.trim());
  if (elements.length > 2) return undefined;
  const isNamed = elements.some((element) => element.includes('='));
  const given: Partial<Record<keyof Policy, number>> = {};
  for (const [index, element] of elements.entries()) {
    const [name, value, ...rest] = isNamed
      ? element.split('=').map((part) => part.trim())
      : [index === 0 ? 'countdown' : 'max', element];
    if ((name !== 'countdown' && name !== 'max') || rest.length > 0) return undefined;
    if (given[fieldOf[name]] !== undefined) return undefined;
    if (value === '' && !isNamed) continue;
    if (value === undefined || !INTEGER.test(value) || !within(fieldOf[name], Number(value))) return undefined;
    given[fieldOf[name]] = Number(value);
  }
  return { ...defaultPolicy, ...given };
}

export const formatPolicy = (policy: Policy): string => `${policy.countdownSeconds},${policy.maxRetries}`;

export const policyParameter = z.pipe(
  z.string({ error: 'must be a string such as 3600,168' }).check(
    z.refine((text) => parsePolicy(text) !== undefined, {
      error: 'must be countdown,max such as 3600,168: countdown 1 to 1209600 seconds, max -1 to 100000 retries',
    }),
  ),
  z.transform((text) => parsePolicy(text) ?? defaultPolicy),
);
