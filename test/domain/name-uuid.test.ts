import { createHash, createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedHash, keyedUuid, nameUuid } from '../../shared/domain/name-uuid.ts';
import { namingKey } from '../../shared/domain/naming-key.ts';
import { subscriptionUuid } from '../../shared/domain/subscriptions/pending-subscription.ts';
import { topicUuid, uuidOfTopic } from '../../shared/domain/topics/topic.ts';

describe('nameUuid', () => {
  it('returns an RFC 9562 UUID, version 8', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        expect(nameUuid(...names)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it('nameUuid derives the UUID from the SHA-256 hash of the names, so that every release returns the same UUID', () => {
    const hash = createHash('sha256').update('5:topic2:CR').digest('hex');
    const uuid = topicUuid('CR').replaceAll('-', '');
    expect(uuid.slice(0, 12)).toBe(hash.slice(0, 12));
    expect(uuid.slice(13, 16)).toBe(hash.slice(13, 16));
    expect(uuid.slice(17)).toBe(hash.slice(17, 32));
  });

  it('nameUuid returns different UUIDs for different names that form the same text when concatenated', () => {
    const differently = fc
      .tuple(fc.array(fc.string({ maxLength: 3 })), fc.array(fc.string({ maxLength: 3 })))
      .filter(([one, other]) => JSON.stringify(one) !== JSON.stringify(other));
    fc.assert(fc.property(differently, ([one, other]) => nameUuid(...one) !== nameUuid(...other)));
    expect(nameUuid('a', 'bc')).not.toBe(nameUuid('ab', 'c'));
    expect(nameUuid('a', '1:b')).not.toBe(nameUuid('a1', ':b'));
    expect(nameUuid('')).not.toBe(nameUuid());
    expect(nameUuid('a1:b')).not.toBe(nameUuid('a', 'b'));
  });
});

const key = createSecretKey(Buffer.alloc(32, 1));

it('keyedUuid returns an RFC 9562 UUID, version 8, from the HMAC-SHA-256 of the names', () => {
  const mac = createHmac('sha256', key).update('1:a2:bc').digest('hex');
  const uuid = keyedUuid(key, 'a', 'bc');
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuid.replaceAll('-', '').slice(0, 12)).toBe(mac.slice(0, 12));
  expect(uuid.replaceAll('-', '').slice(17)).toBe(mac.slice(17, 32));
  expect(Buffer.from(keyedHash(key, 'a', 'bc'), 'base64url').toString('hex')).toBe(mac);
});

describe('the uuid of a subscription', () => {
  const key = namingKey('a secret', 'subscription ids');

  it.each([
    ['topic', subscriptionUuid(key, topicUuid('b'), 'http', 'x')],
    ['protocol', subscriptionUuid(key, topicUuid('a'), 'email', 'x')],
    ['address', subscriptionUuid(key, topicUuid('a'), 'http', 'y')],
    ['secret', subscriptionUuid(namingKey('another', 'subscription ids'), topicUuid('a'), 'http', 'x')],
  ])('differs if the %s differs', (_what, other) => {
    expect(other).not.toBe(subscriptionUuid(key, topicUuid('a'), 'http', 'x'));
  });

  it('the UUID of a subscription is the same in every release for the same topic, protocol, address and secret', () => {
    expect(subscriptionUuid(key, topicUuid('a'), 'http', 'x')).toBe('ff7cc1a8-b769-8352-9109-f912b51a107a');
  });
});

it('uuidOfTopic converts a UUID to lowercase and treats any other text as a topic name', () => {
  const uuid = topicUuid('CR');
  expect(uuidOfTopic(uuid)).toBe(uuid);
  expect(uuidOfTopic(uuid.toUpperCase())).toBe(uuid);
  expect(uuidOfTopic('CR')).toBe(uuid);
  expect(uuidOfTopic('cr')).not.toBe(uuid);
});
