import { expect, it } from 'vitest';
import { namingKey } from '../../../shared/domain/naming-key.ts';
import {
  composeUnsubscribeToken,
  declinedId,
  readStopRequestsToken,
  stopRequestsToken,
} from '../../../shared/domain/subscriptions/link-tokens.ts';

const limitsKey = namingKey('secret', 'limits');
const linkKey = namingKey('secret', 'stop-requests links');
const id = declinedId(limitsKey, 'ann@example.org');
const token = stopRequestsToken('secret', 'ann@example.org');
const uuid = '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61';

it('the token in a stop-requests link contains only a hash of the mailbox', () => {
  expect(readStopRequestsToken(token, linkKey)).toBe(id);
  expect(token).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
  expect(declinedId(namingKey('other secret', 'limits'), 'ann@example.org')).not.toBe(id);
});

it.each(['Ann+news@example.org', 'ANN@example.org'])('%s and ann@example.org count as the same mailbox', (address) => {
  expect(declinedId(limitsKey, address)).toBe(id);
});

it.each([
  ['with a changed signature', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
  ['with the signature of a different mailbox', `${declinedId(limitsKey, 'eve@example.org')}.${token.split('.')[1]}`],
  ['signed with a different key', stopRequestsToken('another secret', 'ann@example.org')],
  ['with an unsubscribe token', composeUnsubscribeToken({ uuid, generation: uuid }, linkKey)],
  ['without a token', ''],
])('a stop-requests link %s is rejected', (_what, wrong) => {
  expect(readStopRequestsToken(wrong, linkKey)).toBeUndefined();
});
