import { afterAll, describe, expect, test } from 'vitest';
import { deleteTopic } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { confirmedReader, linkIn, mailsTo, newReader, subscriptionRow } from '../harness/mail-reader.ts';
import { leavesNoErrors } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { outputs, aws } = world;
leavesNoErrors(world);

const seen: string[] = [];
afterAll(() => {
  // Checks that no log line contains an address or a link's token.
  const tokens = seen.map((link) => new URL(link).searchParams.get('token') ?? '');
  const secrets = [...tokens.filter((token) => token.length > 20), '@example.org'];
  expect(secrets.length).toBeGreaterThan(10);
  expect(world.logLines().filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
});

/** Opens a page like a browser, without an API token. */
async function open(link: string, method: 'GET' | 'POST' = 'GET') {
  seen.push(link);
  const response = await fetch(link, { method });
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return { status: response.status, headers: response.headers, heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1], text };
}

const altered = (link: string): string => link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');

describe('the confirmation page', () => {
  test('the confirmation page confirms only on POST, and every later visit shows that the subscription is confirmed', async () => {
    const { address, pending, confirmLink, topic } = await newReader(world);
    const before = await subscriptionRow(world, pending.uuid);
    for (let times = 0; times < 3; times++) {
      const asked = await open(confirmLink);
      expect([asked.status, asked.heading]).toEqual([200, 'Confirm your subscription']);
      expect(asked.text).toContain(topic.name);
      expect(asked.text).toContain('r***@example.org');
      expect(asked.text).not.toContain(address);
    }
    expect(await subscriptionRow(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const confirmed = await open(confirmLink, 'POST');
      expect([confirmed.status, confirmed.heading]).toEqual([200, 'Subscription confirmed']);
      expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
    }
    expect((await open(confirmLink)).heading).toBe('Subscription confirmed');
  });

  test('a used confirmation link still shows the confirmation after the link has expired', async () => {
    const { pending, confirmLink } = await newReader(world);
    await open(confirmLink, 'POST');
    await aws.expireTokens(pending.uuid);
    for (const method of ['GET', 'POST'] as const) {
      const page = await open(confirmLink, method);
      expect([page.status, page.heading]).toEqual([200, 'Subscription confirmed']);
    }
  });

  test('an expired confirmation link opens a page that says that the link does not work, and confirms nothing', async () => {
    const { pending, confirmLink } = await newReader(world);
    await aws.expireTokens(pending.uuid);
    for (const method of ['GET', 'POST'] as const) {
      const page = await open(confirmLink, method);
      expect([page.status, page.heading]).toEqual([400, 'This link does not work']);
      expect(page.text).toContain('has expired');
    }
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: false });
  });

  test('an altered confirmation link confirms nothing', async () => {
    const { pending, confirmLink } = await newReader(world);
    const base = `${outputs.baseUrl}/v1/confirm`;
    const other = (await newReader(world)).confirmLink;
    const mixed = `${confirmLink.split('.').slice(0, -1).join('.')}.${other.split('.').at(-1)}`;
    for (const wrong of [
      altered(confirmLink),
      mixed,
      base,
      `${base}?token=`,
      `${base}?token=x`,
      `${confirmLink}&a=1`,
    ]) {
      for (const method of ['GET', 'POST'] as const) {
        const page = await open(wrong, method);
        expect([page.status, page.heading], wrong).toEqual([400, 'This link does not work']);
      }
    }
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

describe('page language', () => {
  const read = async (link: string, method: 'GET' | 'POST', accepted?: string) => {
    seen.push(link);
    const response = await fetch(link, {
      method,
      headers: accepted === undefined ? {} : { 'accept-language': accepted },
    });
    expect(response.headers.get('vary')).toBe('Accept-Language');
    const text = await response.text();
    const [, lang, dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(text) ?? [];
    expect(lang).toBe(response.headers.get('content-language'));
    return { status: response.status, way: `${lang} ${dir}`, heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1] };
  };

  test('a page uses the language that the browser requests, before and after the button is pressed', async () => {
    const { confirmLink } = await newReader(world);
    expect(await read(confirmLink, 'GET', 'fr-CA, en;q=0.5')).toMatchObject({
      way: 'fr ltr',
      heading: 'Confirmer votre abonnement',
    });
    expect(await read(confirmLink, 'GET', 'de')).toMatchObject({ way: 'en ltr' });
    expect(await read(confirmLink, 'POST', 'ar-SD')).toEqual({
      status: 200,
      way: 'ar rtl',
      heading: 'تم تأكيد الاشتراك',
    });
    expect(await read(confirmLink, 'GET')).toMatchObject({ way: 'en ltr', heading: 'Subscription confirmed' });
  });
});

describe('the unsubscribe page', () => {
  test('the unsubscribe page unsubscribes only on POST, and a second POST also succeeds', async () => {
    const { pending, leaveLink, address } = await confirmedReader(world);
    const before = await subscriptionRow(world, pending.uuid);
    const asked = await open(leaveLink);
    expect([asked.status, asked.heading]).toEqual([200, 'Unsubscribe']);
    expect(asked.text).not.toContain(address);
    expect(await subscriptionRow(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const left = await open(leaveLink, 'POST');
      expect([left.status, left.heading]).toEqual([200, 'You are unsubscribed']);
      expect(await subscriptionRow(world, pending.uuid)).toBeUndefined();
    }
    expect((await open(leaveLink)).heading).toBe('You are unsubscribed');
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

  test('an altered unsubscribe link opens a page that says that the link does not work, and does not end the subscription', async () => {
    const { pending, leaveLink, confirmLink } = await confirmedReader(world);
    const token = new URL(confirmLink).searchParams.get('token');
    const wrong = [
      altered(leaveLink),
      `${outputs.baseUrl}/v1/unsubscribe?token=${token}`,
      `${outputs.baseUrl}/v1/unsubscribe`,
    ];
    for (const link of wrong) {
      for (const method of ['GET', 'POST'] as const) {
        const page = await open(link, method);
        expect([page.status, page.heading]).toEqual([400, 'This link does not work']);
      }
    }
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
    expect((await open(leaveLink, 'POST')).heading).toBe('You are unsubscribed');
    expect(await subscriptionRow(world, pending.uuid)).toMatchObject({ isActive: true });
  });
});
