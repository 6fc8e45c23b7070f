import { expect, test } from 'vitest';
import { inbox, type Mail } from '../../infra/local/demo/mailbox.ts';
import {
  confirmSubscription,
  listSubscriptions,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { settingsUnderTest } from '../harness/settings.ts';
import { openWorld, uniqueName } from '../harness/world.ts';

const world = await openWorld();
const { call, newTopic, subscribeTo, publish, outputs } = world;
leavesNoErrors(world);

const mailsTo = (address: string, count: number): Promise<Mail[]> =>
  eventually(async () => {
    const mails = await inbox(outputs.inboxUrl, address);
    if (mails.length < count) throw new Error(`received ${mails.length} of ${count} emails to ${address}`);
    return mails;
  });

/** Returns the token in the link of a confirmation email. */
const tokenIn = (mail: Mail | undefined): string => /[\w-]{22}\.[\w-]{43}/.exec(mail?.body.text ?? '')?.[0] ?? '';

async function newReader() {
  const topic = await newTopic();
  const address = `${uniqueName('reader')}@example.org`;
  const pending = await subscribeTo(topic, address, { protocol: 'email' });
  const [confirmation] = await mailsTo(address, 1);
  return { topic, address, pending, confirmation };
}

test('an email subscriber confirms with the token from the first email, receives the event, and unsubscribes', async () => {
  const { topic, address, pending, confirmation } = await newReader();
  expect(pending).toMatchObject({ topic: topic.name, protocol: 'email', address, active: false });
  const again = await subscribeTo(topic, address, { protocol: 'email' });
  expect(again.uuid).toBe(pending.uuid);

  const token = tokenIn(confirmation);
  expect(confirmation?.from).toBe(settingsUnderTest.emailSender);
  expect(confirmation?.body.text).toContain(`${outputs.baseUrl}/v1/confirm?token=${token}`);
  expect(confirmation?.body.html).toContain(`href="${outputs.baseUrl}/v1/confirm?token=${token}"`);
  expect(confirmation?.attachments).toEqual([]);
  expect((await call(confirmSubscription, { query: { token } })).json).toEqual({ ...pending, active: true });
  expect((await call(listSubscriptions)).json).toContainEqual({ ...pending, active: true });

  const body = '{"source":"CRVS",\n "uin": "1234567890", "note": "Zoë <b>&</b> 東京" }';
  const messageId = await publish(topic, body, { query: { subject: 'death' } });
  const [, event] = await mailsTo(address, 2);
  expect(event?.subject).toBe(`${topic.name}: A death was registered`);
  for (const text of [topic.name, 'A death', 'CRVS', '1234567890', 'Zoë', '東京', messageId]) {
    expect(event?.body.text).toContain(text);
    expect(event?.body.html).toContain(text);
  }
  expect(event?.body.html).toContain('Zoë &lt;b&gt;&amp;&lt;/b&gt;');
  expect(event?.attachments).toHaveLength(1);
  expect(event?.attachments[0]).toMatchObject({ filename: 'event.json', contentType: 'application/json' });
  expect(Buffer.from(event?.attachments[0]?.content ?? '', 'base64').toString('utf8')).toBe(body);

  expect((await call(unsubscribe, { path: { uuid: pending.uuid } })).status).toBe(204);
  expect((await call(unsubscribe, { path: { uuid: pending.uuid } })).status).toBe(404);
  const witness = await world.newSubscriber(topic);
  await world.attemptsAt(await publish(topic, 'another'), witness.subscription.uuid);
  await eventually(async () => expect(await world.aws.depth('email')).toBe(0));
  expect(await inbox(outputs.inboxUrl, address)).toHaveLength(2);
});

test('an event that is not JSON is attached as text', async () => {
  const { topic, address, confirmation } = await newReader();
  await call(confirmSubscription, { query: { token: tokenIn(confirmation) } });
  await publish(topic, 'two\r\nlines ');
  const [, event] = await mailsTo(address, 2);
  expect(event?.attachments).toHaveLength(1);
  expect(event?.attachments[0]).toMatchObject({ filename: 'event.txt', contentType: 'text/plain' });
  expect(Buffer.from(event?.attachments[0]?.content ?? '', 'base64').toString('utf8')).toBe('two\r\nlines ');
});
