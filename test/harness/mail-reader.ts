import { inbox, type Mail } from '../../infra/local/demo/mailbox.ts';
import type { Subscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { Topic } from '../../shared/domain/topics/topic.ts';
import { storedOutcomes } from '../../shared/storage/deliveries/row-schemas.ts';
import { eventually } from './eventually.ts';
import { uniqueName, type World } from './world.ts';

/** Waits until an address has received at least the given number of emails. Returns the emails, oldest first. */
export const mailsTo = (world: World, address: string, count: number): Promise<Mail[]> =>
  eventually(async () => {
    const mails = await inbox(world.outputs.inboxUrl, address);
    if (mails.length < count) throw new Error(`received ${mails.length} of ${count} emails to ${address}`);
    return mails;
  });

/** Returns the link to the given page from the text of an email. */
export function linkIn(mail: Mail | undefined, page: 'confirm' | 'unsubscribe' | 'never-ask'): string {
  const [link] = new RegExp(`https?://[^/\\s]+/v1/${page}\\?token=[\\w.-]+`).exec(mail?.body.text ?? '') ?? [];
  if (link === undefined) throw new Error(`the email has no link to ${page}`);
  return link;
}

interface Reader {
  readonly topic: Topic;
  readonly address: string;
  readonly pending: Subscription;
  /** The confirmation link from the email. */
  readonly confirmLink: string;
}

/** Subscribes a mailbox and waits for the confirmation email. */
export async function newReader(world: World): Promise<Reader> {
  const topic = await world.newTopic();
  const address = `${uniqueName('reader')}@example.org`;
  const pending = await world.subscribeTo(topic, address, { protocol: 'email' });
  const [confirmation] = await mailsTo(world, address, 1);
  // The email arrives shortly before the service records that the confirmation request was sent.
  await eventually(async () => {
    const rows = await world.aws.rows('deliveries');
    if (!rows.some(({ taskKey, state }) => taskKey === `one#${pending.uuid}` && state === 'delivered'))
      throw new Error('the confirmation request has not been recorded as sent');
  });
  return { topic, address, pending, confirmLink: linkIn(confirmation, 'confirm') };
}

/**
 * Subscribes a mailbox, confirms the subscription, and waits for the first event. `leaveLink` is the unsubscribe link
 * from the email about the event.
 */
export async function confirmedReader(world: World): Promise<Reader & { leaveLink: string }> {
  const reader = await newReader(world);
  const confirmed = await fetch(reader.confirmLink, { method: 'POST' });
  if (confirmed.status !== 200) throw new Error(`confirming returned ${confirmed.status}`);
  await world.publish(reader.topic, '{"source":"CR"}');
  const [, event] = await mailsTo(world, reader.address, 2);
  // The email arrives shortly before the service records the delivery.
  await eventually(async () => {
    const rows = await world.aws.rows('deliveries');
    const isDelivered = rows.some(
      ({ outcomes }) => storedOutcomes.parse(outcomes)[reader.pending.uuid]?.class === 'delivered',
    );
    if (!isDelivered) throw new Error('the first event has not been recorded as delivered');
  });
  return { ...reader, leaveLink: linkIn(event, 'unsubscribe') };
}

/** Returns the current row of a subscription, or undefined if the subscription does not exist. */
export async function subscriptionRow(world: World, uuid: string): Promise<Record<string, unknown> | undefined> {
  return (await world.aws.rows('subscriptions')).find((row) => row.uuid === uuid);
}
