import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mintKeyHash } from '../../../shared/domain/persons/mint-key.ts';

const person = { firstName: 'Ada', lastName: 'Lovelace', gender: 2 };

describe('mintKeyHash', () => {
  it('does not depend on the order of the attributes', () => {
    const attributes = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(attributes, fc.string(), (given, key) => {
        const reversed = Object.fromEntries(Object.entries(given).reverse());
        expect(mintKeyHash('caller', key, reversed)).toBe(mintKeyHash('caller', key, given));
      }),
    );
  });

  it.each([
    ['another caller', mintKeyHash('registry B', 'key', person)],
    ['another key', mintKeyHash('registry A', 'key 2', person)],
    ['a twin', mintKeyHash('registry A', 'key', { ...person, firstName: 'Ida' })],
    ['a value of another type', mintKeyHash('registry A', 'key', { ...person, gender: '2' })],
    ['an attribute more', mintKeyHash('registry A', 'key', { ...person, status: 'alive' })],
    ['a caller that runs into the key', mintKeyHash('registry Ak', 'ey', person)],
  ])('is another for %s', (_what, other) => {
    expect(other).not.toBe(mintKeyHash('registry A', 'key', person));
  });

  it('shows nothing of the person', () => {
    expect(mintKeyHash('registry A', 'key', person)).toMatch(/^[0-9a-f]{64}$/);
  });
});
