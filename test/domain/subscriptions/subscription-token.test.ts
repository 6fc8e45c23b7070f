import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmationState } from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import {
  composeToken,
  hashToken,
  subscriptionOfToken,
} from '../../../shared/domain/subscriptions/subscription-token.ts';
import { aRequest, noon, tokenOf } from '../../harness/builders.ts';

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a confirmation token', () => {
  it('a confirmation token is safe in a URL, has the length that the parameter allows, and contains the subscription ID', () => {
    fc.assert(
      fc.property(fc.uuid(), secrets, (uuid, secret) => {
        const token = composeToken(uuid, secret);
        expect(token).toMatch(/^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/);
        expect(encodeURIComponent(token)).toBe(token);
        expect(subscriptionOfToken(token)).toBe(uuid);
      }),
    );
  });

  it('a confirmation token contains all 256 bits of its secret', () => {
    fc.assert(
      fc.property(fc.uuid(), secrets, fc.nat(31), fc.integer({ min: 1, max: 255 }), (uuid, secret, place, change) => {
        const other = secret.map((byte, index) => (index === place ? byte ^ change : byte));
        expect(hashToken(composeToken(uuid, other))).not.toBe(hashToken(composeToken(uuid, secret)));
      }),
    );
  });

  it.each(['', 'token', '.', 'a.b', `${'a'.repeat(22)}${'b'.repeat(43)}`, `${'a'.repeat(22)}.${'b'.repeat(44)}`])(
    'subscriptionOfToken returns no ID for the malformed token %j',
    (text) => {
      expect(subscriptionOfToken(text)).toBeUndefined();
    },
  );

  it('a confirmation token is stored as its SHA-256 hash', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('a confirmation link', () => {
  const token = tokenOf('0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61');
  const request = aRequest({ expiresAt: noon });
  const stored = { requests: { other: aRequest(), [hashToken(token)]: request }, isActive: false, owner: 'client' };
  const used = { ...stored, requests: { [hashToken(token)]: { ...request, confirmedAt: noon - 2 } }, isActive: true };

  it.each([
    ['the link is open until it expires', stored, noon - 1, 'open'],
    ['the link has expired', stored, noon, 'expired'],
    ['the link stays confirmed after it expires', used, noon + 1, 'confirmed'],
    [
      'the link is unknown if its subscription now belongs to another client',
      { ...used, owner: 'other' },
      noon - 1,
      'unknown',
    ],
    ['a used link is unknown if its subscription is inactive', { ...used, isActive: false }, noon - 1, 'unknown'],
    ['the link is open even if another request was confirmed', { ...stored, isActive: true }, noon - 1, 'open'],
    ['the link is unknown if its hash is not stored', { ...used, requests: { other: request } }, noon - 1, 'unknown'],
    ['the link is unknown if its subscription was paused', { ...stored, requests: {} }, noon - 1, 'unknown'],
    ['the link is unknown if its subscription was deleted', undefined, noon - 1, 'unknown'],
  ] as const)('%s', (_what, row, now, state) => {
    expect(confirmationState(row, token, now)).toBe(state);
  });
});
