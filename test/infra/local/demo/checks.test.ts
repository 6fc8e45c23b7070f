import { expect, it } from 'vitest';
import {
  checkDeliveries,
  checkEvents,
  checkForgeries,
  checkRegistry,
  checkRetries,
} from '../../../../infra/local/demo/checks.ts';
import type { Client } from '../../../../infra/local/demo/client.ts';

const published = new Map([
  ['a', 'death {"uin":"1"}'],
  ['b', 'death {"uin":"2"}'],
]);
const both: [string, string[]][] = [...published].map(([id, event]) => [id, [event]]);
const good = '4 deliveries reached 1 receivers and a mailbox: lost 0, duplicates 0, changed 0';

it.each([
  [both, 2, good],
  [both.slice(1), 2, 'the steady receiver: 1 lost'],
  [[...both.slice(1), ['a', ['death {"uin":"1"}', 'death {"uin":"1"}']]], 2, 'the steady receiver: 1 stored twice'],
  [[...both.slice(1), ['a', ['death']]], 2, 'the steady receiver: 1 different from the published event'],
  [[...both, ['c', ['death']]], 2, 'the steady receiver: 1 different from the published event'],
  [both, 1, 'the mailbox received 1 emails for 2 events'],
  [both, 3, 'the mailbox received 3 emails for 2 events'],
] as [[string, string[]][], number, string][])(
  'for a receiver that stored %j and a mailbox that received %i emails, checkDeliveries reports: %s',
  (stored, mails, text) => {
    const check = checkDeliveries({ steady: { stored: new Map(stored) } }, mails, published);
    expect(check).toEqual({ isGood: text === good, text });
  },
);

it.each([
  ['each failed attempt is recorded and followed by a retry', 3, 'delivered', 3, true],
  ['an attempt has no record', 3, 'delivered', 2, false],
  ['an attempt was not repeated', 2, 'delivered', 2, false],
  ['an event is not delivered', 3, 'waiting', 3, false],
])('checkRetries checks two failures: %s', async (_what, requested, state, recorded, isGood) => {
  const client = (async () => [{ state, attempts: Array(recorded) }]) as unknown as Client;
  const receiver = { requests: new Map([['a', requested]]), failures: { unavailable: 1, lostResponse: 1 } };
  expect((await checkRetries(client, 'uuid', receiver)).isGood).toBe(isGood);
});

it('checkEvents and checkForgeries fail if events or rejections are missing', () => {
  expect([299, 300].map((events) => checkEvents(events, 300).isGood)).toEqual([false, true]);
  expect([5, 6].map((rejected) => checkForgeries(6, rejected).isGood)).toEqual([false, true]);
});

it.each([
  [{ firstName: 'Ada', lastName: { code: 1023 } }, { firstName: 'Ada' }, true],
  [{ firstName: 'Eva' }, { firstName: 'Ada' }, false],
  [{ firstName: 'Ada', lastName: 'King' }, { firstName: 'Ada' }, false],
  [undefined, { firstName: 'Ada' }, false],
  [{ firstName: 'Ada' }, undefined, false],
  [undefined, undefined, true],
])('checkRegistry, given the response %j and the attributes %j, returns %s', async (answer, attributes, isGood) => {
  const lacking = new Proxy({ ...answer }, { get: (known, name) => Reflect.get(known, name) ?? { code: 1023 } });
  const client = (async () => answer && lacking) as unknown as Client;
  const registry = new Map(attributes && [['1', attributes]]);
  expect((await checkRegistry(client, registry, new Set(['1']))).isGood).toBe(isGood);
});
