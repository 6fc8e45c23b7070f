import { describe, expect, it } from 'vitest';
import { mailContentOf } from '../../../shared/delivery/email/message-content.ts';
import { composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { statusEvent, statusTopicOf } from '../../../shared/domain/subscriptions/status-event.ts';
import type { ConfirmationRequest, StoredSubscription } from '../../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../../shared/domain/subscriptions/subscription-token.ts';
import { statusTopicName } from '../../../shared/domain/topics/topic.ts';
import {
  aConfirmation,
  aNotification,
  aRequest,
  aSubscription,
  aTopic,
  noon,
  tokenOf,
} from '../../harness/builders.ts';
import { aMailFrame, fullLetterhead } from '../../harness/mail-frames.ts';

type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

/** Returns the content of an email as plain text. */
const contentOf = (...[message, recipient, url]: Tail<Parameters<typeof mailContentOf>>) =>
  JSON.parse(
    JSON.stringify(mailContentOf(aMailFrame(), message, recipient, url)).replace(/[\u2068\u2069]/g, ''),
  ) as ReturnType<typeof mailContentOf>;

const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const topic = aTopic({ name: 'CR' });
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example' });
const anEvent = (body: string, subject?: string, deliveryFormat: 'raw' | 'envelope' = 'raw') =>
  contentOf(
    composeMessage(
      aNotification(topic, subject === undefined ? {} : { subject }),
      Buffer.from(body).toString('base64'),
      {
        baseUrl: 'https://registry.example',
        deliveryFormat,
      },
    ),
    clerk,
    undefined,
  );

it('the email about a test event states that the event is not real', () => {
  const test = aNotification(topic, { subject: 'test', isTest: true });
  const { subject, heading, opening } = contentOf(composeMessage(test, btoa('{}'), settings), clerk, undefined);
  expect([subject, heading]).toEqual(['CR: test notice', 'Test notice']);
  expect(opening).toBe('This is a test of the notices about “CR”. It does not relate to a real event.');
});

it('the email about a failing receiver contains the host, the time, the cause and the remedy, but not the full address', () => {
  const lastFailure = { class: 'tls', code: 'CERT_HAS_EXPIRED', at: noon };
  const failing = aSubscription(topic, { address: 'https://receiver.example/hook?key=secret', lastFailure });
  const { body, ...event } = statusEvent(failing, { state: 'failing', since: noon, at: noon }, statusTopicOf('client'));
  const message = aNotification(topic, { ...event, topicName: statusTopicName });
  const content = contentOf(composeMessage(message, btoa(body), settings), clerk, undefined);
  const { subject, opening, rows, closing } = content;
  expect(subject).toBe('Notices to receiver.example are not arriving');
  expect(opening).toBe('No notice has arrived at this address since 1 March 2024 at 12:00 (UTC).');
  const shown = Object.fromEntries(rows.map(({ label, value }) => [label, value.replaceAll('\u2060', '')]));
  expect(shown).toEqual({
    Address: 'receiver.example',
    'Notices about': 'CR',
    'Technical cause': 'tls CERT_HAS_EXPIRED',
    'Technical reference': failing.uuid,
  });
  expect(closing).toContain('Ask the people who look after this address');
  expect(JSON.stringify(content)).not.toContain('secret');
});

describe('the email that requests a confirmation', () => {
  const opening = (request: Partial<ConfirmationRequest>, given: Partial<StoredSubscription> = { isActive: false }) => {
    const requests = { [hashToken(tokenOf(clerk.uuid))]: aRequest(request) };
    const message = composeMessage(aConfirmation(clerk), '', settings);
    return contentOf(message, { ...clerk, ...given, requests }, undefined).opening;
  };
  const asked = 'The civil registry was asked to send notices about “CR” to this address';
  const only = 'The request is only for these notices';
  const already =
    'You already receive notices on this subject. Nothing will change until you confirm. If you confirm, the following will change';

  it('names the requested events', () => {
    expect(opening({})).toBe(`${asked}. We will not send anything until you confirm.`);
    expect(opening({ subjects: ['changeOfName', 'death', 'liveBirth'] })).toBe(
      `${asked}. ${only}: change of name, death and birth. We will not send anything until you confirm.`,
    );
  });

  it('a confirmation email names the institution that was asked to send notices', () => {
    const message = composeMessage(aConfirmation(clerk), '', settings);
    const frame = aMailFrame('en', { letterhead: fullLetterhead });
    const { opening: words } = mailContentOf(frame, message, { ...clerk, isActive: false }, undefined);
    expect(words).toMatch(/^\u2068Civil Registry of Utopia\u2069 was asked to send notices /);
  });

  it('a confirmation email shows the title of the topic instead of its name', () => {
    const message = composeMessage(aConfirmation(clerk, { topicTitle: 'Births' }), '', settings);
    expect(contentOf(message, { ...clerk, isActive: false }, undefined).opening).toContain('“Births”');
  });

  it('a confirmation email does not show subjects that callers wrote, because the recipient has not yet agreed to receive them', () => {
    expect(opening({ subjects: ['Call +44 1234 now', 'death', 'it is urgent'] })).toBe(
      `${asked}. ${only}: death and 2 other types of notice (see the confirmation page). We will not send anything until you confirm.`,
    );
  });

  it.each<[Partial<ConfirmationRequest>, string]>([
    [{ subjects: ['death'] }, `. ${only}: death. ${already}: the notices we send.`],
    [
      { caller: 'other', maxRetries: 9 },
      `. ${already}: the organisation that manages these notices and the schedule for resending notices that do not arrive.`,
    ],
    [{}, '. You already receive these notices. If you confirm, nothing will change.'],
  ])('a confirmation email for the request %j explains how an active subscription would change', (request, words) => {
    expect(opening(request, { isActive: true })).toBe(asked + words);
  });
});

describe('the email about an event', () => {
  const tell = (rows: readonly { label: string; value: string }[] = []) =>
    rows.map(({ label, value }) => `${label}: ${value}`);

  it.each([
    ['liveBirth', 'A birth was registered', 'a birth was registered'],
    ['birthCancellation', 'The registration of a birth was cancelled', 'the registration of a birth was cancelled'],
    ['CR-7', 'CR-7', 'CR-7'],
    ['two words', 'two words', 'two words'],
    ['toString', 'toString', 'toString'],
  ])('describes the subject %s as: %s', (subject, heading, afterColon) => {
    expect(anEvent('{}', subject)).toMatchObject({ subject: `CR: ${afterColon}`, heading });
  });

  it('the email has the topic name as its heading if the publisher provided no subject', () => {
    expect(anEvent('{}')).toMatchObject({ subject: 'CR', heading: 'CR' });
  });

  it('the email shows the title of a topic instead of its name', () => {
    const titled = aNotification(topic, { topicTitle: 'Civil registration' });
    const content = contentOf(composeMessage(titled, btoa('{}'), settings), clerk, undefined);
    expect(content).toMatchObject({ subject: 'Civil registration', heading: 'Civil registration' });
    expect(content.opening).toMatch(/^This notice about “Civil registration” was issued on /);
    expect(content.notes.join()).not.toContain('CR');
  });

  it('the email splits names that mail programs would turn into links', () => {
    const named = aNotification(aTopic({ name: 'evil.example' }), { subject: 'https://evil.example a@b.example' });
    const { subject, ...content } = contentOf(composeMessage(named, btoa('{}'), settings), clerk, undefined);
    expect(subject).toBe('evil.example: https://evil.example a@b.example');
    expect(content.heading).toBe('https:\u2060//evil.\u2060example a@\u2060b.\u2060example');
    expect(JSON.stringify(content)).not.toMatch(/evil\.example|:\/\/evil|@b/);
  });

  it('the email describes an event without a subject by its topic if the topic is named after an event type', () => {
    const deaths = aTopic({ name: 'death' });
    const of = (subject?: string) =>
      contentOf(
        composeMessage(aNotification(deaths, subject === undefined ? {} : { subject }), btoa('{"uin":"7"}'), settings),
        clerk,
        undefined,
      );
    expect(of()).toMatchObject({
      subject: 'death: a death was registered',
      heading: 'A death was registered',
      rows: [{ label: 'Deceased person', value: '7' }],
    });
    expect(of('correction')).toMatchObject({ heading: 'correction', rows: [] });
  });

  it('the email shows the time in a readable form and in the time zone of the deployment', () => {
    expect(anEvent('{}').opening).toBe('This notice about “CR” was issued on 1 March 2024 at 12:00 (UTC).');
    const inDakar = aMailFrame('fr', { timeZone: 'Africa/Dakar' });
    const message = composeMessage(aNotification(topic), btoa('{}'), settings);
    expect(mailContentOf(inDakar, message, clerk, undefined).opening).toMatch(
      /le \u20681er mars 2024 à 12\u00a0h\u00a000 \(UTC\)\u2069\.$/,
    );
    const { opening } = mailContentOf(aMailFrame('ar', { timeZone: 'Asia/Riyadh' }), message, clerk, undefined);
    expect(opening).toContain('الساعة 15:00 (بتوقيت غرينتش\u200e+3)\u2069');
  });

  it('the email labels the fields of the event type, omits empty fields and lists all other fields by name', () => {
    const body =
      '{"id":12345678901234567890,"uin":"1","uin2":"","uin1":null,"source":"CR","duplicates":["2","3"],"more":{"a":[1]},"flag":false,"none":null}';
    const { rows, others } = anEvent(body, 'liveBirth');
    expect(tell(rows)).toEqual(['Child: 1', 'Reported by: CR']);
    expect(others?.heading).toBe('More details');
    expect(tell(others?.rows)).toEqual([
      'id: 12345678901234567890',
      'duplicates: 2, 3',
      'more: {"a":[1]}',
      'flag: false',
      'none: not provided',
    ]);
    expect(others?.rest).toBeUndefined();
  });

  it('the email does not label the fields of an event without a type', () => {
    const { rows, others } = anEvent('{"source":"CR","uin":"1"}', 'census');
    expect([tell(rows), tell(others?.rows)]).toEqual([['Reported by: CR'], ['uin: 1']]);
  });

  it('the email refers to the attachment if its event is nested too deeply to be shown', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(anEvent(deep)).toMatchObject({
      rows: [],
      closing: 'This notice cannot be shown in an email. You can read it in the attachment.',
    });
    expect(anEvent(deep).excerpt).toBeUndefined();
  });

  it('the email stays short, however long the event is, and refers to the attachment for more details', () => {
    const many = anEvent(JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]))));
    expect(many.others?.rows).toHaveLength(40);
    expect(many.others?.rest).toBe('The attachment contains 60 more details.');
    const long = anEvent(JSON.stringify({ note: 'x'.repeat(5000), ['k'.repeat(500)]: '\u{1f476}'.repeat(201) }));
    const continued = '… (continued in the attachment)';
    expect(long.others?.rows).toEqual([
      { label: 'note', value: 'x'.repeat(400) + continued },
      { label: `${'k'.repeat(80)}…`, value: '\u{1f476}'.repeat(200) + continued },
    ]);
    expect(anEvent('y'.repeat(9000)).excerpt).toBe('y'.repeat(2000) + continued);
  });

  it('the email shows an event unchanged if it is not a JSON object', () => {
    expect(anEvent('hello\nworld')).toMatchObject({ rows: [], excerpt: 'hello\nworld' });
    expect(anEvent('[1,2]')).toMatchObject({ rows: [], excerpt: '[1,2]' });
  });

  it('the email shows the published fields even if other receivers get an envelope', () => {
    expect(anEvent('{"uin":"1"}', 'death', 'envelope').rows).toEqual([{ label: 'Deceased person', value: '1' }]);
  });
});
