import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeUnsubscribeToken,
  readUnsubscribeToken,
  unsubscribeKey,
} from '../../../shared/domain/subscriptions/unsubscribe-token.ts';

const key = unsubscribeKey('first secret');
const next = unsubscribeKey('second secret');
const leaving = { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', generation: '01a1fb60-ac5b-77be-965e-d5149b8b9038' };
const token = composeUnsubscribeToken(leaving, key);

describe('an unsubscribe token', () => {
  it('is url-safe and says, to whoever has the key, what it is for', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (uuid, generation) => {
        const made = composeUnsubscribeToken({ uuid, generation }, key);
        expect(encodeURIComponent(made)).toBe(made);
        expect(readUnsubscribeToken(made, [key])).toEqual({ uuid, generation });
      }),
    );
  });

  it('is the same each time, so that a link in an old mail is as good as one in a new mail', () => {
    expect(composeUnsubscribeToken(leaving, key)).toBe(token);
  });

  it('of the version before the current one is accepted, of an older one not', () => {
    expect(readUnsubscribeToken(token, [next, key])).toEqual(leaving);
    expect(readUnsubscribeToken(token, [unsubscribeKey('third secret'), next])).toBeUndefined();
    expect(readUnsubscribeToken(token, [])).toBeUndefined();
  });

  it('with any one character changed, or one more or less, is not ours', () => {
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

  it('cannot be put together from parts of others', () => {
    const other = composeUnsubscribeToken({ ...leaving, uuid: leaving.generation }, key);
    const signature = other.split('.')[2];
    expect(readUnsubscribeToken(`${token.split('.').slice(0, 2).join('.')}.${signature}`, [key])).toBeUndefined();
  });
});

it('the key is not the secret itself, and differs with it', () => {
  expect(key).toHaveLength(32);
  expect(key).not.toEqual(next);
  expect(unsubscribeKey('first secret')).toEqual(key);
});
