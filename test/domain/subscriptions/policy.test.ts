import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPolicy, parsePolicy, policyParameter } from '../../../shared/domain/subscriptions/policy.ts';

describe('parsePolicy', () => {
  it.each([
    ['', '3600,168'],
    [',', '3600,168'],
    ['3,10', '3,10'],
    [' 3 , 10 ', '3,10'],
    ['60', '60,168'],
    ['60,', '60,168'],
    [',5', '3600,5'],
    [',-1', '3600,-1'],
    ['60,0', '60,0'],
    ['1,-1', '1,-1'],
    ['1209600,100000', '1209600,100000'],
    ['007,010', '7,10'],
    ['countdown=60,max=5', '60,5'],
    ['max=5,countdown=60', '60,5'],
    [' max = 5 , countdown = 60 ', '60,5'],
    ['max=5', '3600,5'],
    ['countdown=60', '60,168'],
  ])('reads the policy %j as %s', (text, expected) => {
    const policy = parsePolicy(text);
    expect(policy && formatPolicy(policy)).toBe(expected);
  });

  const malformed = [
    '0,10 -1,10 1209601,10 60,-2 60,100001 60,5,1 ,, abc 60,abc 60;5 1.5,5 1e3,5 +60,5 0x10,5 ٦٠,5'.split(' '),
    '9999999999999999999,5 60,max=5 countdown=60,5 countdown=60,countdown=60 countdown=60,delay=5'.split(' '),
    'countdown=,max=5 countdown=60, countdown=3=4 Countdown=60 =60 [60,5]'.split(' '),
    '6 0,5',
  ];
  it.each(malformed.flat())('rejects %j', (text) => {
    expect(parsePolicy(text)).toBeUndefined();
  });

  it('parsePolicy reads every policy that formatPolicy writes', () => {
    const policies = fc.record({
      countdownSeconds: fc.integer({ min: 1, max: 1_209_600 }),
      maxRetries: fc.integer({ min: -1, max: 100_000 }),
    });
    fc.assert(
      fc.property(policies, (policy) => {
        expect(parsePolicy(formatPolicy(policy))).toEqual(policy);
      }),
    );
  });

  it('parsePolicy never throws an error and never returns a policy outside the limits', () => {
    const shaped = fc.stringMatching(/^[-0-9a-z=, ]{0,24}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), shaped), (text) => {
        const policy = parsePolicy(text);
        if (policy === undefined) return;
        expect(policy.countdownSeconds).toBeGreaterThanOrEqual(1);
        expect(policy.countdownSeconds).toBeLessThanOrEqual(1_209_600);
        expect(policy.maxRetries).toBeGreaterThanOrEqual(-1);
        expect(policy.maxRetries).toBeLessThanOrEqual(100_000);
      }),
      { numRuns: 500 },
    );
  });
});

it('the policy parameter accepts a valid policy, and its error message lists the allowed values', () => {
  expect(policyParameter.parse('3,10')).toEqual({ countdownSeconds: 3, maxRetries: 10 });
  expect(policyParameter.safeParse('0,10').error?.issues[0]?.message).toContain('countdown 1 to 1209600');
});
