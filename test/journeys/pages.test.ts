import { afterAll, describe, expect, test } from 'vitest';
import { deleteTopic } from '../../shared/contract/endpoints/topics.ts';
import { confirmedReader, linkIn, listed, mailsTo, newReader } from '../harness/mail-reader.ts';
import { leavesNoFaults } from '../harness/no-internal-errors.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const { outputs, aws } = world;
leavesNoFaults(world);

const seen: string[] = [];
afterAll(() => {
  // Neither an address nor a token of a link stands in any log line.
  const tokens = seen.map((link) => new URL(link).searchParams.get('token') ?? '');
  const secrets = [...tokens.filter((token) => token.length > 20), '@example.org'];
  expect(secrets.length).toBeGreaterThan(10);
  expect(world.logLines().filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
});

/** Opens a page as a browser does, without a token of the API. */
async function open(link: string, method: 'GET' | 'POST' = 'GET') {
  seen.push(link);
  const response = await fetch(link, { method });
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return { status: response.status, headers: response.headers, heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1], text };
}

const altered = (link: string): string => link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');

describe('the page to confirm', () => {
  test('shows on GET and changes nothing, confirms on POST, and says so each time it is used', async () => {
    const { address, pending, confirmLink, topic } = await newReader(world);
    const before = await listed(world, pending.uuid);
    for (let times = 0; times < 3; times++) {
      const asked = await open(confirmLink);
      expect([asked.status, asked.heading]).toEqual([200, 'Confirm your subscription']);
      expect(asked.text).toContain(topic.name);
      expect(asked.text).toContain('r***@example.org');
      expect(asked.text).not.toContain(address);
    }
    expect(await listed(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const confirmed = await open(confirmLink, 'POST');
      expect([confirmed.status, confirmed.heading]).toEqual([200, 'Subscription confirmed']);
      expect(await listed(world, pending.uuid)).toMatchObject({ isActive: true });
    }
    expect((await open(confirmLink)).heading).toBe('Subscription confirmed');
  });

  test('of a used link says so also when its days are over', async () => {
    const { pending, confirmLink } = await newReader(world);
    await open(confirmLink, 'POST');
    await aws.expireTokens(pending.uuid);
    for (const method of ['GET', 'POST'] as const) {
      const page = await open(confirmLink, method);
      expect([page.status, page.heading]).toEqual([200, 'Subscription confirmed']);
    }
  });

  test('of an expired link says so and confirms nothing', async () => {
    const { pending, confirmLink } = await newReader(world);
    await aws.expireTokens(pending.uuid);
    for (const method of ['GET', 'POST'] as const) {
      const page = await open(confirmLink, method);
      expect([page.status, page.heading]).toEqual([400, 'This link does not work']);
      expect(page.text).toContain('has expired');
    }
    expect(await listed(world, pending.uuid)).toMatchObject({ isActive: false });
  });

  test('of a link that is not ours confirms nothing', async () => {
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
    expect(await listed(world, pending.uuid)).toMatchObject({ isActive: false });
  });

  test('is kept, framed, indexed and left a trace of by nobody', async () => {
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

describe('a page speaks', () => {
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

  test('the language that the browser asks for, before and after the button', async () => {
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

  test('it also where something is wrong with the link', async () => {
    for (const link of ['/v1/confirm?token=x', '/v1/unsubscribe', '/v1/never-ask?token=x&token=y']) {
      const page = await read(outputs.baseUrl + link, 'GET', 'es;q=0.8, zz');
      expect(page).toEqual({ status: 400, way: 'es ltr', heading: 'Este enlace no funciona' });
    }
  });
});

describe('the page to unsubscribe', () => {
  test('shows on GET and changes nothing, unsubscribes on POST, and succeeds again', async () => {
    const { pending, leaveLink, address } = await confirmedReader(world);
    const before = await listed(world, pending.uuid);
    const asked = await open(leaveLink);
    expect([asked.status, asked.heading]).toEqual([200, 'Unsubscribe']);
    expect(asked.text).not.toContain(address);
    expect(await listed(world, pending.uuid)).toEqual(before);

    for (let times = 0; times < 2; times++) {
      const left = await open(leaveLink, 'POST');
      expect([left.status, left.heading]).toEqual([200, 'You are unsubscribed']);
      expect(await listed(world, pending.uuid)).toBeUndefined();
    }
    expect((await open(leaveLink)).heading).toBe('You are unsubscribed');
  });

  test('takes the one click of a mail program: a form, no cookie, no referrer', async () => {
    const { pending, leaveLink, topic, address } = await confirmedReader(world);
    const response = await fetch(leaveLink, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      redirect: 'error',
    });
    expect(response.status).toBe(200);
    expect(await listed(world, pending.uuid)).toBeUndefined();
    const witness = await world.newSubscriber(topic);
    await world.attemptsAt(await world.publish(topic, 'x'), witness.subscription.uuid);
    expect(await mailsTo(world, address, 2)).toHaveLength(2);
  });

  test('of an altered link says so, before and after the subscription has ended, and ends nothing', async () => {
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
    expect(await listed(world, pending.uuid)).toMatchObject({ isActive: true });
    await open(leaveLink, 'POST');
    expect((await open(altered(leaveLink), 'POST')).status).toBe(400);
  });

  test("of a mail from a topic's earlier life leaves its next life alone", async () => {
    const { topic, address, pending, leaveLink } = await confirmedReader(world);
    await world.call(deleteTopic, { path: { uuid: topic.uuid } });
    await world.newTopic(topic.name);
    await world.subscribeTo(topic, address, { protocol: 'email' });
    const mails = await mailsTo(world, address, 3);
    expect((await open(linkIn(mails.at(-1), 'confirm'), 'POST')).status).toBe(200);
    expect((await open(leaveLink, 'POST')).heading).toBe('You are unsubscribed');
    expect(await listed(world, pending.uuid)).toMatchObject({ isActive: true });
  });
});
