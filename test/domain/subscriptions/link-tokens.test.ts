import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namingKey } from '../../../shared/domain/naming-key.ts';
import {
  composeUnsubscribeToken,
  declinedId,
  readStopRequestsToken,
  readUnsubscribeToken,
  stopRequestsToken,
  unsubscribeKey,
} from '../../../shared/domain/subscriptions/link-tokens.ts';

const key = unsubscribeKey('first secret');
const next = unsubscribeKey('second secret');
const leaving = { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', generation: '01a1fb60-ac5b-77be-965e-d5149b8b9038' };
const token = composeUnsubscribeToken(leaving, key);

describe('an unsubscribe token', () => {
  it('an unsubscribe token is safe in a URL and contains the subscription ID and the generation', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (uuid, generation) => {
        const made = composeUnsubscribeToken({ uuid, generation }, key);
        expect(encodeURIComponent(made)).toBe(made);
        expect(readUnsubscribeToken(made, [key])).toEqual({ uuid, generation });
      }),
    );
  });

  it('an unsubscribe token is accepted with the current or the previous secret but rejected with older secrets', () => {
    expect(readUnsubscribeToken(token, [next, key])).toEqual(leaving);
    expect(readUnsubscribeToken(token, [unsubscribeKey('third secret'), next])).toBeUndefined();
    expect(readUnsubscribeToken(token, [])).toBeUndefined();
  });

  it('an unsubscribe token is rejected if one character is changed, added or removed', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=%'.split('');
    for (const place of token.split('').keys()) {
      for (const letter of letters) {
        if (letter === token[place]) continue;
        const altered = token.slice(0, place) + letter + token.slice(place + 1);
        expect(readUnsubscribeToken(altered, [key]), altered).toBeUndefined();
      }
    }
    for (const wrong of ['', token.slice(1), token.slice(0, -1), `${token}A`, `${token}\n`, token.toLowerCase()]) {
      expect(readUnsubscribeToken(wrong, [key])).toBeUndefined();
    }
  });

  it('an unsubscribe token cannot be assembled from parts of other tokens', () => {
    const other = composeUnsubscribeToken({ ...leaving, uuid: leaving.generation }, key);
    const signature = other.split('.')[2];
    expect(readUnsubscribeToken(`${token.split('.').slice(0, 2).join('.')}.${signature}`, [key])).toBeUndefined();
  });
});

it('the unsubscribe key is derived from the secret and changes with the secret', () => {
  expect(key.symmetricKeySize).toBe(32);
  expect(key.equals(next)).toBe(false);
  expect(unsubscribeKey('first secret').equals(key)).toBe(true);
});

const limitsKey = namingKey('secret', 'limits');
const linkKey = namingKey('secret', 'stop-requests links');
const id = declinedId(limitsKey, 'ann@example.org');
const stopToken = stopRequestsToken('secret', 'ann@example.org');

it('the token in a stop-requests link contains only a hash of the mailbox', () => {
  expect(readStopRequestsToken(stopToken, linkKey)).toBe(id);
  expect(stopToken).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
  expect(declinedId(namingKey('other secret', 'limits'), 'ann@example.org')).not.toBe(id);
});

it.each(['Ann+news@example.org', 'ANN@example.org'])('%s and ann@example.org count as the same mailbox', (address) => {
  expect(declinedId(limitsKey, address)).toBe(id);
});

it.each([
  ['a changed signature', `${stopToken.slice(0, -1)}${stopToken.endsWith('A') ? 'B' : 'A'}`],
  ['the signature of a different mailbox', `${declinedId(limitsKey, 'eve@example.org')}.${stopToken.split('.')[1]}`],
  ['the signature of a different key', stopRequestsToken('another secret', 'ann@example.org')],
  ['an unsubscribe token', composeUnsubscribeToken(leaving, linkKey)],
  ['no token', ''],
])('a stop-requests link with %s is rejected', (_what, wrong) => {
  expect(readStopRequestsToken(wrong, linkKey)).toBeUndefined();
});
