import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeToken, hashToken, subscriptionOfToken } from '../../shared/domain/subscription-token.ts';

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a confirmation token', () => {
  it('is url-safe, fits the parameter, and names its subscription', () => {
    fc.assert(
      fc.property(fc.uuid(), secrets, (uuid, secret) => {
        const token = composeToken(uuid, secret);
        expect(token).toMatch(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/);
        expect(encodeURIComponent(token)).toBe(token);
        expect(subscriptionOfToken(token)).toBe(uuid);
      }),
    );
  });

  it('carries all 256 bits of its secret', () => {
    fc.assert(
      fc.property(fc.uuid(), secrets, fc.nat(31), fc.integer({ min: 1, max: 255 }), (uuid, secret, place, change) => {
        const other = secret.map((byte, index) => (index === place ? byte ^ change : byte));
        expect(hashToken(composeToken(uuid, other))).not.toBe(hashToken(composeToken(uuid, secret)));
      }),
    );
  });

  it.each(['', 'token', '.', 'a.b', `${'a'.repeat(22)}${'b'.repeat(43)}`, `${'a'.repeat(22)}.${'b'.repeat(44)}`])(
    'has no subscription when it reads %j',
    (text) => {
      expect(subscriptionOfToken(text)).toBeUndefined();
    },
  );

  it('is stored as its SHA-256, which is not the token', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
