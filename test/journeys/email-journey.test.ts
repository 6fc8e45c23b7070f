import { expect, test } from 'vitest';
import { inbox } from '../../infra/local/demo/mailbox.ts';
import {
  confirmSubscription,
  listSubscriptions,
  unsubscribe,
} from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { mailsTo, newReader } from '../harness/mail-reader.ts';
import { useWorld } from '../harness/no-internal-errors.ts';
import { settingsUnderTest } from '../harness/settings.ts';

const world = await useWorld();
const { call, subscribeTo, publish, outputs } = world;

test('an email subscriber confirms with the token from the first email, receives the event, and unsubscribes', async () => {
  const { topic, address, pending, confirmLink } = await newReader(world);
  const [confirmation] = await mailsTo(world, address, 1);
  expect(pending).toMatchObject({ topic: topic.name, protocol: 'email', address, active: false });
  const again = await subscribeTo(topic, address, { protocol: 'email' });
  expect(again.uuid).toBe(pending.uuid);

  const token = new URL(confirmLink).searchParams.get('token') ?? '';
  expect(confirmation?.from).toBe(settingsUnderTest.emailSender);
  expect(confirmation?.body.text).toContain(`${outputs.baseUrl}/v1/confirm?token=${token}`);
  expect(confirmation?.body.html).toContain(`href="${outputs.baseUrl}/v1/confirm?token=${token}"`);
  expect(confirmation?.attachments).toEqual([]);
  expect((await call(confirmSubscription, { query: { token } })).json).toEqual({ ...pending, active: true });
  expect((await call(listSubscriptions)).json).toContainEqual({ ...pending, active: true });

  const body = '{"source":"CRVS",\n "uin": "1234567890", "note": "Zoë <b>&</b> 東京" }';
  const messageId = await publish(topic, body, { query: { subject: 'death' } });
  const [, event] = await mailsTo(world, address, 2);
  expect(event?.subject).toBe(`${topic.name}: a death was registered`);
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
