import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyHash } from '../../../shared/domain/persons/idempotency-key.ts';

const person = { firstName: 'Ada', lastName: 'Lovelace', gender: 2 };

describe('idempotencyHash', () => {
  it('idempotencyHash ignores the order of the attributes', () => {
    const attributes = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(attributes, fc.string(), (given, key) => {
        const reversed = Object.fromEntries(Object.entries(given).reverse());
        expect(idempotencyHash('caller', key, reversed)).toBe(idempotencyHash('caller', key, given));
      }),
    );
  });

  it.each([
    ['another caller', idempotencyHash('registry B', 'key', person)],
    ['another key', idempotencyHash('registry A', 'key 2', person)],
    ['a twin', idempotencyHash('registry A', 'key', { ...person, firstName: 'Ida' })],
    ['a value of another type', idempotencyHash('registry A', 'key', { ...person, gender: '2' })],
    ['an additional attribute', idempotencyHash('registry A', 'key', { ...person, status: 'alive' })],
    [
      'a different caller and a different key that form the same text when concatenated',
      idempotencyHash('registry Ak', 'ey', person),
    ],
  ])('differs for %s', (_what, other) => {
    expect(other).not.toBe(idempotencyHash('registry A', 'key', person));
  });

  it('idempotencyHash does not reveal the attributes of the person', () => {
    expect(idempotencyHash('registry A', 'key', person)).toMatch(/^[0-9a-f]{64}$/);
  });
});
