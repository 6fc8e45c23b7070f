import { expect, test } from 'vitest';
import { inbox } from '../../infra/local/demo/mailbox.ts';
import { subscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { eventually } from '../harness/eventually.ts';
import { linkIn, newReader } from '../harness/mail-reader.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

const { stack, world } = await openSeparateWorld();
leavesNoErrors(world);
const { call, newTopic, outputs } = world;

const open = async (link: string, method = 'GET') => {
  const response = await fetch(link, { method });
  const text = await response.text();
  return { status: response.status, text, heading: /<h1>(.*?)<\/h1>/.exec(text)?.[1] };
};
// Each request comes from a different client, so the limit per client does not apply.
const ask = async (address: string) => {
  const { uuid: topic } = await newTopic();
  const token = await world.tokenFor(['notif.sub.write'], uniqueName('client'));
  return call(subscribe, { query: { topic, protocol: 'email', address }, token });
};

test('a person can stop confirmation requests in two steps, and an operator can then allow them again', async () => {
  const { address, confirmLink } = await newReader(world);
  const [mail] = await inbox(outputs.inboxUrl, address);
  const link = linkIn(mail, 'never-ask');
  const name = address.split('@')[0] ?? '';

  // The confirmation page also contains the link to stop requests. Opening the link changes nothing.
  const [, href] = /href="(never-ask[^"]+)"/.exec((await open(confirmLink)).text) ?? [];
  expect(new URL(href ?? '', confirmLink).href).toBe(link);
  const page = await open(link);
  expect([page.status, page.heading]).toEqual([200, 'Stop all confirmation requests to this address?']);
  expect(page.text).not.toContain(name);
  expect((await ask(address)).status).toBe(200);

  const altered = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
  for (const method of ['GET', 'POST']) expect((await open(altered, method)).status).toBe(400);
  for (const _ of [1, 2]) {
    const done = await open(link, 'POST');
    expect([done.status, done.heading]).toEqual([200, 'You have stopped confirmation requests']);
  }
  for (const variant of [address, address.toUpperCase(), `${name}+tag@example.org`]) {
    const refused = await ask(variant);
    expect([refused.status, refused.error.code]).toEqual([400, 1013]);
    expect(refused.text).not.toContain(name);
  }
  expect(JSON.stringify(await world.aws.rows('limits'))).not.toContain(name);

  expect(await stack.invoke('allowRequests', { address })).toEqual({ allowed: 1 });
  expect((await ask(address)).status).toBe(200);
});

test('a confirmation request that is still queued is not sent after the owner of the mailbox has stopped requests', async () => {
  const { address } = await newReader(world);
  const [mail] = await inbox(outputs.inboxUrl, address);
  const [witness] = [`${uniqueName('witness')}@example.org`];
  // Each function instance sends one email per second, so four requests to other addresses delay the next request.
  for (let times = 0; times < 4; times++) await ask(`${uniqueName('other')}@example.org`);
  expect((await ask(address)).status).toBe(200);
  await open(linkIn(mail, 'never-ask'), 'POST');
  await ask(witness);
  await eventually(async () => expect(await inbox(outputs.inboxUrl, witness)).toHaveLength(1));
  await eventually(async () => expect(await world.aws.depth('emailConfirmations')).toBe(0));
  const ended = (await world.aws.rows('deliveries')).filter(
    ({ outcome }) => (outcome as { class?: string } | undefined)?.class === 'declined',
  );
  const mails = (await inbox(outputs.inboxUrl, address)).length;
  // The request was either sent before the owner stopped requests, or not sent at all.
  expect(mails + ended.length).toBe(2);
});
