import { afterAll, describe, expect, test } from 'vitest';
import { deleteTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { confirmedReader, linkIn, mailsTo, newReader, subscriptionRow } from '../harness/mail-reader.ts';
import { useWorld } from '../harness/no-internal-errors.ts';

const world = await useWorld();
const { outputs, aws } = world;

const seen: string[] = [];
afterAll(() => {
  // Checks that no log line contains an email address or the token of a link.
  const tokens = seen.map((link) => new URL(link).searchParams.get('token') ?? '');
  const secrets = [...tokens.filter((token) => token.length > 20), '@example.org'];
  expect(secrets.length).toBeGreaterThan(10);
  expect(world.logLines().filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
});

/** Opens a page as a browser does, without an API token. */
async function open(link: string, method: 'GET' | 'POST' = 'GET', headersSent: Record<string, string> = {}) {
  seen.push(link);
  const response = await fetch(link, { method, headers: headersSent });
  const { status, headers } = response;
  const text = await response.text();
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  return { status, headers, heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1], text };
}

/** Opens an invalid link with GET and with POST. Returns the texts of the pages. */
async function openBroken(link: string): Promise<string[]> {
  const pages = [await open(link), await open(link, 'POST')];
  for (const { status, heading } of pages) expect([status, heading], link).toEqual([400, 'This link does not work']);
  return pages.map(({ text }) => text);
}

const altered = (link: string): string => link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');

describe('the confirmation page', () => {
  test('the confirmation page confirms only on POST, and when it is opened again, it shows that the subscription is confirmed', async () => {
    const { address, pending, confirmLink, topic } = await newReader(world);
    const before = await subscriptionRow(world, pending.uuid);
    for (let times = 0; times < 3; times++) {
      const asked = await open(confirmLink);
      expect([asked.status, asked.heading]).toEqual([200, 'Confirm that you want notices from the civil registry']);
      expect(asked.text).toContain(topic.name);
      expect(asked.text).toContain('r***@example.org');
      expect(asked.text).not.toContain(address);
    }
    expect(await subscriptionRow(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const confirmed = await open(confirmLink, 'POST');
      expect([confirmed.status, confirmed.heading]).toEqual([200, 'You will receive these notices']);
      expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
    }
    expect((await open(confirmLink)).heading).toBe('You will receive these notices');
  });

  test('a confirmation link that was used still shows the confirmation after it has expired', async () => {
    const { pending, confirmLink } = await newReader(world);
    await open(confirmLink, 'POST');
    await aws.expireTokens(pending.uuid);
    for (const method of ['GET', 'POST'] as const) {
      const page = await open(confirmLink, method);
      expect([page.status, page.heading]).toEqual([200, 'You will receive these notices']);
    }
  });

  test('an expired confirmation link opens a page with an explanation and confirms nothing', async () => {
    const { pending, confirmLink } = await newReader(world);
    await aws.expireTokens(pending.uuid);
    for (const text of await openBroken(confirmLink)) expect(text).toContain('has expired');
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: false });
  });

  test('an altered confirmation link does not confirm anything', async () => {
    const { pending, confirmLink } = await newReader(world);
    const base = `${outputs.baseUrl}/v1/confirm`;
    const other = (await newReader(world)).confirmLink;
    const mixed = `${confirmLink.split('.').slice(0, -1).join('.')}.${other.split('.').at(-1)}`;
    const links = [altered(confirmLink), mixed, base, `${base}?token=`, `${base}?token=x`, `${confirmLink}&a=1`];
    for (const wrong of links) await openBroken(wrong);
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: false });
  });

  test('the confirmation page cannot be cached, framed or indexed, and sends no referrer', async () => {
    const { confirmLink } = await newReader(world);
    for (const link of [confirmLink, altered(confirmLink)]) {
      const { headers } = await open(link);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/,
      );
      expect(headers.get('set-cookie')).toBeNull();
    }
  });
});

test('a page is in the language that the browser requests, both before and after the button is pressed', async () => {
  const { confirmLink } = await newReader(world);
  const read = async (method: 'GET' | 'POST', accepted?: string) => {
    const { headers, text, heading } = await open(confirmLink, method, accepted ? { 'accept-language': accepted } : {});
    expect(headers.get('vary')).toBe('Accept-Language');
    const [, lang, dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(text) ?? [];
    expect(lang).toBe(headers.get('content-language'));
    return `${lang} ${dir}: ${heading}`;
  };
  expect(await read('GET', 'fr-CA, en;q=0.5')).toBe(
    'fr ltr: Confirmez que vous souhaitez recevoir des avis de l’état civil',
  );
  expect(await read('GET', 'de')).toBe('en ltr: Confirm that you want notices from the civil registry');
  expect(await read('POST', 'ar-SD')).toBe('ar rtl: تم التأكيد');
  expect(await read('GET')).toBe('en ltr: You will receive these notices');
});

describe('the unsubscribe page', () => {
  test('the unsubscribe page unsubscribes only on POST, and a second POST succeeds as well', async () => {
    const { pending, leaveLink, address } = await confirmedReader(world);
    const before = await subscriptionRow(world, pending.uuid);
    const asked = await open(leaveLink);
    expect([asked.status, asked.heading]).toEqual([200, 'Stop these notices?']);
    expect(asked.text).not.toContain(address);
    expect(await subscriptionRow(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const left = await open(leaveLink, 'POST');
      expect([left.status, left.heading]).toEqual([200, 'You have stopped these notices']);
      expect(await subscriptionRow(world, pending.uuid)).toBeUndefined();
    }
    expect((await open(leaveLink)).heading).toBe('You have stopped these notices');
  });

  test("the unsubscribe page accepts a mail program's one-click request: a form without a cookie or a referrer", async () => {
    const { pending, leaveLink, topic, address } = await confirmedReader(world);
    const response = await fetch(leaveLink, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      redirect: 'error',
    });
    expect(response.status).toBe(200);
    expect(await subscriptionRow(world, pending.uuid)).toBeUndefined();
    const witness = await world.newSubscriber(topic);
    await world.attemptsAt(await world.publish(topic, 'x'), witness.subscription.uuid);
    expect(await mailsTo(world, address, 2)).toHaveLength(2);
  });

  test('an altered unsubscribe link opens a page with an explanation and does not end the subscription', async () => {
    const { pending, leaveLink, confirmLink } = await confirmedReader(world);
    const token = new URL(confirmLink).searchParams.get('token');
    const base = `${outputs.baseUrl}/v1/unsubscribe`;
    for (const wrong of [altered(leaveLink), `${base}?token=${token}`, base]) await openBroken(wrong);
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
    await open(leaveLink, 'POST');
    expect((await open(altered(leaveLink), 'POST')).status).toBe(400);
  });

  test('an unsubscribe link from an earlier generation of a topic does not end the current subscription', async () => {
    const { topic, address, pending, leaveLink } = await confirmedReader(world);
    await world.call(deleteTopic, { path: { uuid: topic.uuid } });
    await world.newTopic(topic.name);
    await world.subscribeTo(topic, address, { protocol: 'email' });
    const mails = await mailsTo(world, address, 3);
    expect((await open(linkIn(mails.at(-1), 'confirm'), 'POST')).status).toBe(200);
    expect((await open(leaveLink, 'POST')).heading).toBe('You have stopped these notices');
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
  });
});
