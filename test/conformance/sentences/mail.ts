import { succeeded } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { Broken, holds, same, sentencesOf } from '../sentence.ts';

async function askedByMail(
  { newTopic, newMailbox, openInbox, subscribe }: Deployment,
  subject: readonly string[] = [],
) {
  // First: where nobody reads them no mail is sent.
  const mailsTo = openInbox();
  const topic = await newTopic();
  const address = newMailbox();
  const mails = (count: number) => mailsTo(address, topic.name, count);
  const subscription = await subscribe(topic, address, { protocol: 'email', subject });
  const [mail] = await mails(1);
  const text = mail?.body.text ?? '';
  const [token] = /[\w-]{22}\.[\w-]{43}/.exec(text) ?? [];
  if (token === undefined) throw new Broken('the mail that asks to confirm has no token');
  return { topic, subscription, mails, text, token };
}

// Which language a deployment writes in is its own affair.
const namesBirth = (text: string): boolean => /Live birth|Naissance|Nacimiento|Nascimento|ولادة/.test(text);

export const mail = sentencesOf('our page: mail', {
  'the mail that asks to confirm names the event types asked for and leads to the page, which names all': async (
    deployment,
  ) => {
    const { text, token } = await askedByMail(deployment, ['liveBirth', 'the census of 2026']);
    holds(text.includes(`/v1/confirm?token=${token}`), 'it has no link to /v1/confirm');
    holds(namesBirth(text) && !text.includes('census'), 'the mail does not name liveBirth alone');
    const page = await deployment.call('GET', '/v1/confirm', { query: { token }, token: null });
    same('status of the page', page.status, 200);
    holds(namesBirth(page.text), 'the page does not name liveBirth');
    holds(page.text.includes('the census of 2026'), 'the page does not name the census of 2026');
  },
  'an event is attached to its mail as it was published, and a link leads away': async (deployment) => {
    const { topic, mails, token, subscription } = await askedByMail(deployment);
    same('active', succeeded(await deployment.confirm(token)).active, true);
    const text = '{ "source":"conformance",\n "uin":"décès ✓" }';
    await deployment.publish(topic, text, { query: { subject: 'death' } });
    const event = (await mails(2)).find(({ attachments }) => attachments.length > 0);
    const [attached] = event?.attachments ?? [];
    same('its name', attached?.filename, 'event.json');
    same('the event', Buffer.from(attached?.content ?? '', 'base64').toString(), text);
    const [, leave] = /\/v1\/unsubscribe\?token=([\w.~%-]+)/.exec(event?.body.text ?? '') ?? [];
    if (leave === undefined) throw new Broken('the mail of an event has no link to leave');
    const left = await deployment.call('POST', '/v1/unsubscribe', { query: { token: leave }, token: null });
    same('status of leaving', left.status, 200);
    const path = `/v1/subscriptions/${subscription.uuid}`;
    same('the subscription', (await deployment.call('GET', path)).status, 404);
  },
});
