import { inbox, type Mail } from '../../infra/local/demo/inbox.ts';
import type { Subscription } from '../../shared/domain/subscriptions/subscription.ts';
import type { Topic } from '../../shared/model/topics/topic.ts';
import { keptOutcomes } from '../../shared/storage/deliveries/kept-outcomes.ts';
import { eventually } from './eventually.ts';
import { uniqueName, type World } from './world.ts';

/** Waits until an address has so many mails; the earliest first. */
export const mailsTo = (world: World, address: string, count: number): Promise<Mail[]> =>
  eventually(async () => {
    const mails = await inbox(world.outputs.inboxUrl, address);
    if (mails.length < count) throw new Error(`${mails.length} of ${count} mails to ${address}`);
    return mails;
  });

/** The link to one of our pages, as a person would press it. */
export function linkIn(mail: Mail | undefined, page: 'confirm' | 'unsubscribe' | 'never-ask'): string {
  const [link] = new RegExp(`https?://[^/\\s]+/v1/${page}\\?token=[\\w.-]+`).exec(mail?.body.text ?? '') ?? [];
  if (link === undefined) throw new Error(`the mail has no link to ${page}`);
  return link;
}

interface Reader {
  readonly topic: Topic;
  readonly address: string;
  readonly pending: Subscription;
  /** The link of the confirmation mail. */
  readonly confirmLink: string;
}

/** Somebody who was subscribed by e-mail and has the mail that asks to confirm. */
export async function newReader(world: World, policy = '3600,168'): Promise<Reader> {
  const topic = await world.newTopic();
  const address = `${uniqueName('reader')}@example.org`;
  const pending = await world.subscribeTo(topic, address, { protocol: 'email', policy });
  const [confirmation] = await mailsTo(world, address, 1);
  // The mail is there before the record of it.
  await eventually(async () => {
    const rows = await world.aws.rows('deliveries');
    if (!rows.some(({ taskKey, state }) => taskKey === `one#${pending.uuid}` && state === 'delivered'))
      throw new Error('the confirmation is not recorded as sent');
  });
  return { topic, address, pending, confirmLink: linkIn(confirmation, 'confirm') };
}

/** A reader who has confirmed and has had a first event; `leaveLink` is the link of its mail. */
export async function confirmedReader(world: World, policy?: string): Promise<Reader & { leaveLink: string }> {
  const reader = await newReader(world, policy);
  const confirmed = await fetch(reader.confirmLink, { method: 'POST' });
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status}`);
  await world.publish(reader.topic, '{"source":"CR"}');
  const [, event] = await mailsTo(world, reader.address, 2);
  // The mail is there before the record of it.
  await eventually(async () => {
    const rows = await world.aws.rows('deliveries');
    const isDelivered = rows.some(
      ({ outcomes }) => keptOutcomes.parse(outcomes)[reader.pending.uuid]?.class === 'delivered',
    );
    if (!isDelivered) throw new Error('the first event is not recorded as delivered');
  });
  return { ...reader, leaveLink: linkIn(event, 'unsubscribe') };
}

/** The subscription as the API lists it now, or undefined. */
export async function listed(world: World, uuid: string): Promise<Record<string, unknown> | undefined> {
  return (await world.aws.rows('subscriptions')).find((row) => row.uuid === uuid);
}
