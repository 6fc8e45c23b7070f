import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan } from '../../../shared/domain/topics/check-event.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('isDeeperThan', () => {
  it('counts the same levels as a recursive walk through the value, even if its strings contain brackets', () => {
    const anyJson = fc.jsonValue({ depthSize: 'medium', stringUnit: fc.constantFrom('"', '\\', '[', '}', 'a') });
    fc.assert(
      fc.property(anyJson, fc.boolean(), (value, isIndented) => {
        const text = JSON.stringify(value, undefined, isIndented ? 2 : 0);
        const depth = depthOf(value);
        expect(isDeeperThan(depth, text)).toBe(false);
        if (depth > 0) expect(isDeeperThan(depth - 1, text)).toBe(true);
      }),
    );
  });

  it('handles millions of brackets', () => {
    expect(isDeeperThan(100, '['.repeat(5_000_000))).toBe(true);
    expect(isDeeperThan(100, `"${'['.repeat(5_000_000)}"`)).toBe(false);
  });
});
