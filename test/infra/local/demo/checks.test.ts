import { expect, it } from 'vitest';
import { checkMails, checkReceiver, checkRegistry } from '../../../../infra/local/demo/checks.ts';
import type { Client } from '../../../../infra/local/demo/client.ts';
import type { Receiver } from '../../../../infra/local/demo/receiver.ts';

const published = new Map([
  ['a', 'death {"uin":"1"}'],
  ['b', 'death {"uin":"2"}'],
]);
const checked = (taken: [string, string[]][], forged = 0) =>
  checkReceiver('steady', { accepted: new Map(taken), forged: () => forged } as unknown as Receiver, published);
const both: [string, string[]][] = [...published].map(([id, event]) => [id, [event]]);

it.each([
  [both, 0, undefined],
  [both.slice(1), 0, '1 missing'],
  [[...both.slice(1), ['a', ['death {"uin":"1"}', 'death {"uin":"1"}']]], 0, '1 received more than once'],
  [[...both.slice(1), ['a', ['liveBirth {"uin":"1"}']]], 0, '1 different from what was published'],
  [[...both, ['c', ['death {}']]], 0, '1 different from what was published'],
  [both, 2, '2 with an invalid signature'],
] as [[string, string[]][], number, string | undefined][])(
  'if a receiver accepted %j, with %i invalid signatures, checkReceiver reports: %s',
  (taken, forged, wrong) => {
    const right = 'the steady receiver got each of the 2 events exactly once, with a valid signature';
    const text = wrong === undefined ? right : `the steady receiver: ${wrong}`;
    expect(checked(taken, forged)).toEqual({ isGood: wrong === undefined, text });
  },
);

it('checkMails fails if an email is missing or unexpected', () => {
  expect([1, 2, 3].map((mails) => checkMails(mails, 2).isGood)).toEqual([false, true, false]);
});

it.each([
  [{ firstName: 'Ada', lastName: { code: 1023 } }, { firstName: 'Ada' }, true],
  [{ firstName: 'Eva' }, { firstName: 'Ada' }, false],
  [{ firstName: 'Ada', lastName: 'King' }, { firstName: 'Ada' }, false],
  [undefined, { firstName: 'Ada' }, false],
  [{ firstName: 'Ada' }, undefined, false],
  [undefined, undefined, true],
])('checkRegistry compares the response %j with the attributes %j: equal is %s', async (answer, attributes, isGood) => {
  const lacking = new Proxy({ ...answer }, { get: (known, name) => Reflect.get(known, name) ?? { code: 1023 } });
  const client = (async () => answer && lacking) as unknown as Client;
  const registry = new Map(attributes && [['1', attributes]]);
  expect((await checkRegistry(client, registry, new Set(['1']))).isGood).toBe(isGood);
});
