import { describe, expect, it } from 'vitest';
import { mailContentOf } from '../../../shared/delivery/email/mail-content.ts';
import { composeMessage } from '../../../shared/domain/messages/compose-message.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../../shared/model/subscriptions/subscription.ts';
import { aConfirmation, aNotification, aRequest, aSubscription, aTopic, tokenOf } from '../../support/builders.ts';

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const topic = aTopic({ name: 'CR' });
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example' });
const anEvent = (body: string, subject?: string, deliveryFormat: 'raw' | 'envelope' = 'raw') =>
  mailContentOf(
    composeMessage(aNotification(topic, subject === undefined ? {} : { subject }), btoa(body), {
      baseUrl: 'https://registry.example',
      deliveryFormat,
    }),
    clerk,
    undefined,
  );

it('the letter of a test event says that nothing has happened', () => {
  const test = aNotification(topic, { subject: 'test', isTest: true });
  const { subject, heading, opening } = mailContentOf(composeMessage(test, btoa('{}'), settings), clerk, undefined);
  expect([subject, heading]).toEqual(['CR: test', 'Test']);
  expect(opening).toBe('This is a test of the subscription to the topic CR: nothing has happened.');
});

describe('the letter that asks to confirm', () => {
  const opening = (request: Partial<ConfirmationRequest>, given: Partial<StoredSubscription> = { isActive: false }) => {
    const requests = { [hashToken(tokenOf(clerk.uuid))]: aRequest(request) };
    const message = composeMessage(aConfirmation(clerk), '', settings);
    return mailContentOf(message, { ...clerk, ...given, requests }, undefined).opening;
  };
  const asked = 'Somebody asked for this address to be told of the events of the topic “CR”';

  it('says what is asked for: all events, or which', () => {
    expect(opening({})).toBe(`${asked}. Nothing is sent until you confirm.`);
    expect(opening({ subjects: ['changeOfName', 'death', 'liveBirth'] })).toBe(
      `${asked}, but only of these: Change of name, Death and Live birth. Nothing is sent until you confirm.`,
    );
  });

  it('has nothing of what its caller names by itself: nobody has agreed to read it', () => {
    expect(opening({ subjects: ['Call +44 1234 now', 'death', 'it is urgent'] })).toBe(
      `${asked}, but only of these: Death and 2 more, which the page names. Nothing is sent until you confirm.`,
    );
  });

  it.each<[Partial<ConfirmationRequest>, string]>([
    [
      { subjects: ['death'] },
      ', but only of these: Death. It is told of some already, and that stays as it is until you confirm. Confirming changes which events it is told of.',
    ],
    [
      { caller: 'other', maxRetries: 9 },
      '. It is told of some already, and that stays as it is until you confirm. Confirming changes how a delivery that failed is tried again and which client the subscription belongs to.',
    ],
    [{}, '. It is told of them already: confirming changes nothing.'],
  ])('says what confirming %j changes of a subscription that is active', (request, words) => {
    expect(opening(request, { isActive: true })).toBe(asked + words);
  });
});

describe('the letter of an event', () => {
  it.each([
    ['liveBirth', 'Live birth'],
    ['death', 'Death'],
    ['changeOfName', 'Change of name'],
    ['CR-7', 'CR-7'],
    ['two words', 'two words'],
  ])('calls %s %s', (subject, heading) => {
    expect(anEvent('{}', subject).heading).toBe(heading);
  });

  it('is headed by its topic when the publisher gave no subject', () => {
    expect(anEvent('{}').heading).toBe('CR');
  });

  it('says when, in a form for people', () => {
    expect(anEvent('{}').opening).toContain('1 March 2024 at 12:00:00 UTC');
  });

  it('shows fields in their order, lists as lists, what is nested as JSON, and leaves out what is empty', () => {
    const { rows } = anEvent('{"uin":"1","uin2":"","duplicates":["2","3"],"more":{"a":[1]},"flag":false,"none":null}');
    expect(rows).toEqual([
      ['uin', '1'],
      ['duplicates', '2, 3'],
      ['more', '{"a":[1]}'],
      ['flag', 'false'],
      ['none', 'null'],
    ]);
  });

  it('says that an event cannot be shown, whatever is in it, and goes out all the same', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(anEvent(deep)).toMatchObject({
      rows: [],
      closing: 'This event cannot be shown in a mail. It is attached as it was published.',
    });
    expect(anEvent(deep).excerpt).toBeUndefined();
  });

  it('stays short whatever the event: the rest is in the attachment', () => {
    const many = anEvent(JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]))));
    expect(many.rows).toHaveLength(41);
    expect(many.rows.at(-1)).toEqual(['…', 'and 60 more in the attachment']);
    const long = anEvent(JSON.stringify({ note: 'x'.repeat(5000), ['k'.repeat(500)]: 1 }));
    expect(long.rows.map((row) => row.map(({ length }) => length))).toEqual([
      [4, 401],
      [81, 1],
    ]);
    expect(anEvent('y'.repeat(9000)).excerpt).toHaveLength(2001);
  });

  it('shows what is no JSON object as it is', () => {
    expect(anEvent('hello\nworld')).toMatchObject({ rows: [], excerpt: 'hello\nworld' });
    expect(anEvent('[1,2]')).toMatchObject({ rows: [], excerpt: '[1,2]' });
  });

  it('shows the fields that were published, also where others receive an envelope', () => {
    expect(anEvent('{"uin":"1"}', 'death', 'envelope').rows).toEqual([['uin', '1']]);
  });
});
