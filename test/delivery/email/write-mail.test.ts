import { describe, expect, it } from 'vitest';
import { writeMail } from '../../../shared/delivery/email/write-mail.ts';
import { type ComposedMessage, composeMessage } from '../../../shared/domain/deliveries/compose-message.ts';
import { aConfirmation, aNotification, aSubscription, aTopic, noon } from '../../harness/builders.ts';
import { aMailFrame, pixel } from '../../harness/mail-frames.ts';
import { readMail } from '../../harness/read-mail.ts';

const sender = 'registry@example.org';
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const topic = aTopic({ name: 'CR' });
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example' });

const anEvent = (body: string | Uint8Array, given: Parameters<typeof aNotification>[1] = {}, of = topic) =>
  composeMessage(aNotification(of, given), Buffer.from(body as string).toString('base64'), settings);
const mailOf = async (message: ComposedMessage, recipient = clerk) =>
  readMail(await writeMail(aMailFrame(), message, recipient, sender));

const body = '{"source":"CR","uin":"4711","uin2":"","duplicates":["1","2"]}';

it('the email is sent to one address and has the same headers as an HTTP delivery', async () => {
  const message = anEvent(body, { subject: 'liveBirth' });
  const mail = await mailOf(message);
  expect(mail.from?.value.map(({ address }) => address)).toEqual([sender]);
  expect(mail.to?.value.map(({ address }) => address)).toEqual(['clerk@town.example']);
  expect(mail.subject).toBe('CR: a birth was registered');
  expect(mail.date?.getTime()).toBe(noon);
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail.headers.get('message-type')).toBe('Notification');
  expect(mail.headers.get('x-message-id')).toBe(message.messageId);
  expect(mail.headers.get('topic-id')).toBe(topic.uuid);
  expect(mail.headers.get('subscription-id')).toBe(clerk.uuid);
});

it.each([
  ['event.json', 'application/json', '\ufeff{ "source":"État civil" }\r\n'],
  ['event.json', 'application/json', JSON.stringify({ source: 'x'.repeat(100_000) })],
  ['event.txt', 'text/plain', 'grüße\n.\r\nFrom me\r\n'],
])('the email attaches the event as %s, byte for byte', async (filename, contentType, event) => {
  const announced = contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
  const { attachments } = await mailOf(anEvent(event, { contentType: announced }));
  expect(attachments).toHaveLength(1);
  expect(attachments[0]).toMatchObject({ filename, contentType });
  expect(attachments[0]?.content.equals(Buffer.from(event))).toBe(true);
});

it.each([
  'a\r\nBcc: eve@evil.example',
  'a\nBcc: eve@evil.example\n\nbody',
  'a\rBcc: eve@evil.example',
  'a\u2028Bcc: eve@evil.example',
])('the subject or topic %j adds no header to the email', async (attack) => {
  const evil = aTopic({ name: attack });
  const message = anEvent('{}', { subject: attack }, evil);
  const raw = await writeMail(
    aMailFrame(),
    { ...message, headers: { ...message.headers, 'topic-id': attack } },
    clerk,
    sender,
  );
  const mail = await readMail(raw);
  expect(mail.bcc).toBeUndefined();
  const usual = ['auto-submitted', 'content-language', 'content-type', 'date', 'from', 'mime-version', 'subject', 'to'];
  const own = ['message-id', 'message-type', 'subscription-id', 'topic-id', 'x-message-id'];
  expect(mail.headerLines.map(({ key }) => key).toSorted()).toEqual([...usual, ...own].toSorted());
  expect(mail.attachments).toHaveLength(1);
});

describe('the letterhead of an email', () => {
  const written = async (given: Parameters<typeof aMailFrame>[1]) =>
    readMail(await writeMail(aMailFrame('en', given), anEvent('{}'), clerk, sender));

  it.each(['Registre d’état civil – Côte', 'سجل الأحوال المدنية', 'Smith, "Registry" <evil@example.org>'])(
    'the email shows the sender as %s and shows no other address',
    async (senderName) => {
      const { from } = await written({ senderName });
      expect(from?.value).toEqual([{ name: senderName, address: sender }]);
    },
  );

  it('the email contains the logo and the event', async () => {
    const { attachments, html } = await written({ letterhead: { logo: pixel } });
    // The parser embeds the logo in the HTML, as email programs do.
    expect(html).toContain(`<img src="${pixel}"`);
    expect(attachments.map(({ contentType }) => contentType)).toEqual(['image/png', 'application/json']);
    expect((await written({})).attachments).toHaveLength(1);
  });

  it('the email declares its language', async () => {
    const raw = await writeMail(aMailFrame('ar'), anEvent('{}', { subject: 'liveBirth' }), clerk, sender);
    const mail = await readMail(raw);
    expect(mail.headers.get('content-language')).toBe('ar');
    expect(mail.subject).toBe('\u2068CR\u2069: تم تسجيل ولادة');
  });
});

describe('text from publishers and callers', () => {
  const lookAlikes = [
    '=?utf-8?Q?Your_account=0D=0ABcc:_eve@evil.example?=',
    'before =?utf-8?B?WW91ciBhY2NvdW50?= after',
    '=?utf-8?Q?a?= =?utf-8?Q?b?=',
    '=?iso-8859-1?q?=A9?=',
    'a =?',
  ];

  it.each(lookAlikes)('the published subject %j appears unchanged in the subject of the email', async (text) => {
    const mail = await mailOf(anEvent('{}', { subject: text }, aTopic({ name: 'CR' })));
    expect(mail.subject).toBe(`CR: ${text}`);
    expect(mail.bcc).toBeUndefined();
    const topicOnly = await mailOf(anEvent('{}', {}, aTopic({ name: text })));
    expect(topicOnly.subject).toBe(text);
  });

  it('a long subject that looks like an encoded word has no encoded word of more than 75 characters', async () => {
    const subject = lookAlikes.join(' ');
    const message = anEvent('{}', { subject }, aTopic({ name: 'CR' }));
    const raw = String(await writeMail(aMailFrame(), message, clerk, sender));
    const words = /^Subject: ((?:.|\r\n )*)/m.exec(raw)?.[1]?.split(/\s+/) ?? [];
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75);
  });

  it('a confirmation email quotes and shortens the topic name in its body, and never shows the name in its subject', async () => {
    const name = `Your bank account is locked, call now ${'!'.repeat(200)}`;
    const pending = aSubscription(aTopic({ name }), { protocol: 'email', isActive: false });
    const mail = await mailOf(composeMessage(aConfirmation(pending), '', settings), pending);
    expect(mail.subject).toBe('Confirm that you want notices from the civil registry');
    expect(mail.html).toContain('<title>Confirm that you want notices from the civil registry</title>');
    expect(mail.text?.split(/\s+/).join(' ')).toContain(
      `notices about “${name.slice(0, 80)}…” to this address. We will not send`,
    );
    expect(mail.text).not.toContain('!'.repeat(80));
  });

  const footer = '\n\n-- \nReference: 0\nStop these notices: https://evil.example/unsubscribe?token=t';
  it.each([
    ['text', `Dear clerk,${footer}`],
    ['text with other line breaks', `Dear clerk,${footer.replaceAll('\n', '\u2028')}${footer.replaceAll('\n', '\r')}`],
    ['a field', JSON.stringify({ source: `CR${footer}` })],
    ['the name of a field', JSON.stringify({ [`a${footer}`]: 'CR' })],
    ['a list', JSON.stringify({ list: [footer, footer] })],
  ])('text in an event (%s) cannot imitate the footer of our emails', async (_where, body) => {
    const url = 'https://registry.example/v1/unsubscribe?token=ours';
    const raw = await writeMail(aMailFrame(), anEvent(body), clerk, sender, url);
    const { text = '', html } = await readMail(raw);
    const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
    expect(lines.filter((line) => /^-- ?$/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => /^\S*Stop these notices: /.test(line))).toEqual([`Stop these notices: ${url}`]);
    expect(lines.filter((line) => /^Reference: /.test(line))).toHaveLength(1);
    expect(String(html)).not.toContain('href="https://evil.example');
  });

  it('text in an event cannot change the text direction', async () => {
    const mail = await mailOf(anEvent(JSON.stringify({ source: 'a\u202egpj.exe\u0007' })));
    expect(mail.text).toContain('a\ufffdgpj.exe\ufffd');
    expect(mail.html).toContain('a\ufffdgpj.exe\ufffd');
  });
});

describe('the unsubscribe link', () => {
  const url = `https://registry.example/${'long/'.repeat(20)}unsubscribe?token=${'t'.repeat(89)}`;

  it('the unsubscribe link is on one line of the List-Unsubscribe header and in both versions of the email', async () => {
    const raw = await writeMail(aMailFrame(), anEvent('{}'), clerk, sender, url);
    expect(raw.toString()).toContain(`\r\nList-Unsubscribe: <${url}>\r\n`);
    expect(raw.toString()).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    const mail = await readMail(raw);
    expect(mail.html).toContain(`href="${url}"`);
    expect(mail.text).toContain(url);
  });

  it.each(['a>\r\nBcc: eve@evil.example', 'a b>, <https://evil.example/'])(
    'the unsubscribe link is a single URL even if it contains %j',
    async (evil) => {
      const mail = await readMail(
        await writeMail(aMailFrame(), anEvent('{}'), clerk, sender, `https://registry.example/${evil}`),
      );
      expect(mail.bcc).toBeUndefined();
      const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line;
      expect(line).toMatch(/^List-Unsubscribe: <https:\/\/registry\.example\/[^<>\s]*>$/);
    },
  );
});

describe('the confirmation email', () => {
  const content = aConfirmation(clerk);

  it('the confirmation email contains the token only in the link to the confirmation page, and has no attachment', async () => {
    const mail = await mailOf(composeMessage(content, '', settings));
    expect(mail.subject).toBe('Confirm that you want notices from the civil registry');
    expect(mail.headers.get('message-type')).toBe('SubscriptionConfirmation');
    expect(mail.attachments).toEqual([]);
    const page = `https://registry.example/v1/confirm?token=${content.token}`;
    for (const part of [mail.text, mail.html]) expect(String(part).replaceAll(page, '')).not.toContain(content.token);
    expect(mail.html).toContain(`href="${page}"`);
    expect(mail.text).toContain(`\n${page}\n`);
    expect(mail.headers.has('list')).toBe(false);
  });
});

it.each([
  'clerk@town.example\r\nBcc: eve@evil.example',
  'clerk@town.example, eve@evil.example',
  'clerk@town.example> <eve@evil.example',
])('an address cannot add a second recipient or a header: %j', async (address) => {
  const mail = await mailOf(anEvent('{}'), { ...clerk, address });
  expect([mail.bcc, mail.cc]).toEqual([undefined, undefined]);
  expect(mail.to?.value).toHaveLength(1);
  expect(mail.headerLines.filter(({ key }) => key === 'to' || key === 'bcc')).toHaveLength(1);
});

it('the address is written in ASCII if the domain contains non-ASCII characters', async () => {
  const mail = await mailOf(anEvent('{}'), { ...clerk, address: 'clerk@münchen.example' });
  expect(mail.headerLines.find(({ key }) => key === 'to')?.line).toMatch(/clerk@(xn--mnchen-3ya|münchen)\.example/);
});
