import { expectSuccess } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { ensure, equal, requirementsOf, Violation } from '../requirement.ts';

async function requestByMail(
  { newTopic, newMailbox, openInbox, subscribe }: Deployment,
  subject: readonly string[] = [],
) {
  // Opens the inbox before subscribing, so that no email is sent to an inbox that cannot be read.
  const mailsTo = openInbox();
  const topic = await newTopic();
  const address = newMailbox();
  const mails = (count: number) => mailsTo(address, topic.name, count);
  const subscription = await subscribe(topic, address, { protocol: 'email', subject });
  const [mail] = await mails(1);
  const text = mail?.body.text ?? '';
  const [token] = /[\w-]{22}\.[\w-]{43}/.exec(text) ?? [];
  if (token === undefined) throw new Violation('the confirmation email contains no token');
  return { topic, subscription, mails, text, token };
}

// Each deployment can send its emails in a different language.
const namesBirth = (text: string): boolean => /\bbirth\b|naissance|nacimiento|nascimento|ولادة/.test(text);

export const mail = requirementsOf('client guide: mail', {
  'the confirmation email names the requested event types, and the linked page names every subject': async (
    deployment,
  ) => {
    const { text, token } = await requestByMail(deployment, ['liveBirth', 'the census of 2026']);
    ensure(text.includes(`/v1/confirm?token=${token}`), 'the email has no link to /v1/confirm');
    ensure(
      namesBirth(text) && !text.includes('census'),
      'the confirmation email must name liveBirth and no other subject',
    );
    const page = await deployment.call('GET', '/v1/confirm', { query: { token }, token: null });
    equal('status of the page', page.status, 200);
    ensure(namesBirth(page.text), 'the confirmation page does not name liveBirth');
    ensure(page.text.includes('the census of 2026'), 'the confirmation page does not name the census of 2026');
  },
  'the email about an event has the published event as an attachment and contains an unsubscribe link': async (
    deployment,
  ) => {
    const { topic, mails, token, subscription } = await requestByMail(deployment);
    equal('active', expectSuccess(await deployment.confirm(token)).active, true);
    const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
    await deployment.publish(topic, text, { query: { subject: 'death' } });
    const event = (await mails(2)).find(({ attachments }) => attachments.length > 0);
    const [attached] = event?.attachments ?? [];
    equal('the file name', attached?.filename, 'event.json');
    equal('the event', Buffer.from(attached?.content ?? '', 'base64').toString(), text);
    const [, unsubscribeToken] = /\/v1\/unsubscribe\?token=([\w.~%-]+)/.exec(event?.body.text ?? '') ?? [];
    if (unsubscribeToken === undefined) throw new Violation('the email about an event contains no unsubscribe link');
    const unsubscribed = await deployment.call('POST', '/v1/unsubscribe', {
      query: { token: unsubscribeToken },
      token: null,
    });
    equal('status of unsubscribing', unsubscribed.status, 200);
    const path = `/v1/subscriptions/${subscription.uuid}`;
    equal('status of the subscription', (await deployment.call('GET', path)).status, 404);
  },
});
