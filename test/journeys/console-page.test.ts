import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unsubscribe } from '../../shared/contract/endpoints/subscriptions-endpoints.ts';
import { accessibilityViolations, hasBrowser, useBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { status } from '../harness/receiver.ts';
import { openSeparateWorld } from '../harness/separate-stack.ts';
import { uniqueName } from '../harness/world.ts';

// This test uses a separate stack because the console shows only the latest items, and other tests use the shared
// stack.
const { world } = await openSeparateWorld(undefined, { KEEP_RESPONSES: 'true' });
const browser = useBrowser();
const { baseUrl } = world.outputs;

/** Collects the policy violations and script errors that the browser reports for the page. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
}

/**
 * Publishes an event to a topic whose name contains HTML markup. The subscriber rejects every attempt, so the delivery
 * fails.
 */
async function failedEvent() {
  const topic = await world.newTopic(uniqueName('<img src=x onerror=alert(1)>'));
  const { receiver, subscription } = await world.newSubscriber(topic, { policy: '1,1', answering: status(503) });
  const messageId = await world.publish(topic, { source: 'h', uin: '1' }, { query: { subject: '<b>bold</b>' } });
  await world.attemptsAt(messageId, subscription.uuid);
  return { topic, receiver, subscription, messageId };
}

/** Runs `npm run console` for the stack and returns the console's address. */
async function startConsole(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(cwd, '.local'));
  writeFileSync(join(cwd, '.local/outputs.json'), JSON.stringify(world.outputs));
  const script = join(import.meta.dirname, '../../infra/local/console/main.ts');
  const options = ['--url', baseUrl, '--port', '0', '--token-command', `echo ${world.token}`];
  const child = spawn(process.execPath, [script, ...options], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, 'data');
  return String(line).split(' ')[1] ?? '';
}

const post = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/console/${path}`, { method: 'POST', headers });

test('the console gives a token to its own page and to command-line tools, but not to other pages', async () => {
  const { token } = (await (await post('token', { origin: baseUrl })).json()) as { token: string };
  const topics = await fetch(`${baseUrl}/v1/topics`, { headers: { authorization: `Bearer ${token}` } });
  expect(topics.status).toBe(200);
  const message = `only pages from ${baseUrl} may access the console`;
  for (const path of ['token', 'redeliver']) {
    const foreign = await post(path, { origin: 'https://evil.example' });
    expect([foreign.status, await foreign.json()]).toEqual([403, { message }]);
  }
  expect((await post('redeliver?message=x')).status).toBe(400);
  expect((await fetch(baseUrl.replace('127.0.0.1', 'localhost'), { redirect: 'manual' })).status).toBe(302);
});

test.each([
  ['elsewhere', 403],
  ['v1/health', 200],
  ['console/nothing', 404],
  ['console/token', 404],
  ['console/inbox', 302],
])(
  'GET /%s of the local stack, whose API gets all requests except those of the console, returns %j',
  async (path, code) => {
    expect((await fetch(`${baseUrl}/${path}`, { redirect: 'manual' })).status).toBe(code);
  },
);

describe.skipIf(!hasBrowser)('the console in a browser', () => {
  test('the console shows an event unchanged, lists its delivery attempts, and redelivers it', async () => {
    const { topic, receiver, subscription, messageId } = await failedEvent();
    const { page, requests } = await browser.open(baseUrl);
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: `View details of event ${topic.name} · <b>bold</b>` }).click();
    const look = page.getByRole('dialog');
    await look.getByText(messageId).waitFor();
    const refused = look.getByRole('row').filter({ hasText: 'http 503' });
    expect(await refused.count()).toBe(2);
    expect(await look.getByText('failed', { exact: true }).count()).toBe(1);

    receiver.answer(status(200));
    await look.getByRole('button', { name: `Redeliver to ${subscription.address}` }).click();
    // The view updates automatically.
    await look.getByText('delivered 200').waitFor();
    expect(receiver.of('Notification').at(-1)?.headers['message-id']).toBe(messageId);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(baseUrl))).toEqual([]);
  });

  test('the console shows the response to a failed attempt as text, and only to the owner of the subscription', async () => {
    const topic = await world.newTopic();
    const body = `<img src=x onerror=alert(1)> ${'long'.repeat(200)}`;
    const answering = () => ({ status: 400, headers: { 'content-type': 'text/html' }, body });
    const { subscription } = await world.newSubscriber(topic, { policy: '600,1', answering });
    await world.publish(topic, { source: 'h', uin: '1' });
    const { page } = await browser.open(await startConsole());
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: `View details of subscription ${subscription.address}` }).click();
    const response = page.getByRole('dialog').getByLabel('Response');
    expect(await response.textContent()).toBe(body.slice(0, 512));
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    // The local stack's own console acts as another client, which does not own the subscription.
    const local = (await browser.open(baseUrl)).page;
    await local.getByRole('button', { name: `View details of subscription ${subscription.address}` }).click();
    await local.getByRole('dialog').getByText('http 400').first().waitFor();
    expect(await local.getByLabel('Response').count()).toBe(0);
  });

  test('the console shows sent events even if there are more topics than the console reads', async () => {
    for (let count = 0; count < 150; count++) await world.newTopic();
    const sent = [await failedEvent(), await failedEvent(), await failedEvent()];
    const { page } = await browser.open(baseUrl);
    for (const { topic, subscription } of sent) {
      await page.getByRole('button', { name: `View details of event ${topic.name}` }).waitFor();
      await page.getByRole('button', { name: `View details of subscription ${subscription.address}` }).waitFor();
    }
    await page.getByText('There are more than 50 topics').waitFor();
  });

  test('the console shows ten subscriptions for an event, and more if the user asks for them', async () => {
    const topic = await world.newTopic();
    await Promise.all(Array.from({ length: 11 }, () => world.newSubscriber(topic)));
    await world.publish(topic, { source: 'h', uin: '1' });
    const { page } = await browser.open(baseUrl);
    await page.getByRole('button', { name: `View details of event ${topic.name}` }).click();
    const deliveries = page.getByRole('dialog').getByRole('button', { name: 'Redeliver to' });
    await eventually(async () => expect(await deliveries.count()).toBe(10));
    await page.getByRole('button', { name: 'Show more subscriptions' }).click();
    await eventually(async () => expect(await deliveries.count()).toBe(11));
    expect(await page.getByRole('button', { name: 'Show more subscriptions' }).count()).toBe(0);
  });

  test('the console says that a subscription has ended and that deliveries to it are not shown', async () => {
    const topic = await world.newTopic();
    const [ended, stays] = [await world.newSubscriber(topic), await world.newSubscriber(topic)];
    const messageId = await world.publish(topic, { source: 'h', uin: '1' });
    for (const { subscription } of [ended, stays]) await world.attemptsAt(messageId, subscription.uuid);
    const { page } = await browser.open(baseUrl);
    const look = page.getByRole('dialog');
    const open = (name: string) => page.getByRole('button', { name }).click();
    const into = `View details of subscription ${ended.subscription.address}`;
    await page.getByRole('button', { name: into }).waitFor();

    const path = `**/v1/subscriptions/${ended.subscription.uuid}`;
    const answer = (status: number) => page.route(path, (route) => route.fulfill({ status, json: { message: 'no' } }));
    await answer(404);
    await open(into);
    await look.getByText('This subscription has ended.').waitFor();
    await page.keyboard.press('Escape');
    await open(`View details of event ${topic.name}`);
    await look.getByText('Deliveries to subscriptions that have ended are not shown.').waitFor();
    expect(await look.getByRole('heading', { level: 3 }).allTextContents()).toEqual([stays.subscription.address]);
    await page.keyboard.press('Escape');

    // If the API returns an internal error, the page shows the error and does not say that the subscription has ended.
    await page.unroute(path);
    await answer(500);
    await open(`View details of event ${topic.name}`);
    await look.getByRole('alert').getByText('no', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.unroute(path);
    for (const { subscription } of [ended, stays]) {
      await world.call(unsubscribe, { path: { uuid: subscription.uuid } });
    }
    await open(`View details of event ${topic.name}`);
    await look.getByText('No current subscription matches this event.').waitFor();
  });

  test('a keyboard user can send a test event in the console and see its result', async () => {
    const { receiver, subscription } = await world.newSubscriber(await world.newTopic());
    const { page } = await browser.open(baseUrl);
    const look = page.getByRole('button', { name: `View details of subscription ${subscription.address}` });
    await look.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send test event', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`Sending a test event to ${subscription.address}.`).waitFor();
    expect((await receiver.arrival('Notification')).headers.subject).toBe('test');
    await page.getByRole('dialog').getByText('Last test').waitFor();
    const focused = () => page.evaluate('document.activeElement?.ariaLabel ?? document.activeElement?.textContent');
    expect(await focused()).toBe('Send test event');
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await focused()).toBe(await look.getAttribute('aria-label')));
  });

  test('a keyboard user of npm run console creates a topic, a subscription, a person and an event, and reads the journal', async () => {
    const { page, requests } = await browser.open(await startConsole());
    const complaints = complaintsOf(page);
    const dialog = page.getByRole('dialog');
    const [name, title] = [uniqueName(), uniqueName('title')];
    /** Opens a form, fills in its fields and submits it. Returns the announcement. */
    async function create(what: string, values: Record<string, string>, announced: RegExp) {
      await page.getByRole('button', { name: `Create ${what}` }).press('Enter');
      for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label).fill(value);
      if (what === 'subscription' || what === 'event') await dialog.getByLabel('Topic').selectOption(title);
      await dialog.getByRole('textbox').first().press('Enter');
      const text = (await dialog.getByText(announced).textContent()) ?? '';
      await page.keyboard.press('Escape');
      return text;
    }
    await create('topic', { Name: name, Title: title }, /exists/);
    await page.getByText(title, { exact: true }).first().waitFor();
    await create('subscription', { Filter: 'death, liveBirth' }, /gets a confirmation request/);
    const row = page.getByRole('listitem').filter({ hasText: title }).filter({ hasText: '/console/receiver' });
    await row.getByText('active', { exact: true }).waitFor();
    const uin = (await create('person', {}, /has the UIN/)).match(/\d+/)?.[0] ?? '';
    await create('event', { UIN: uin }, /is published/);
    const event = page.getByRole('listitem').filter({ hasText: `${title} · liveBirth` });
    await event.getByText('1 delivered').waitFor();
    await page.getByText(/^Empty queues: \d+$/).waitFor();
    const { s3Endpoint, resources } = world.outputs;
    const key = `${resources.buckets.documents}/imports/${name}.ndjson`;
    await fetch(`${s3Endpoint}/${key}`, {
      method: 'PUT',
      body: '{"change":"register","attributes":{"firstName":"Ada"}}',
    });
    const imported = page.getByRole('listitem').filter({ hasText: `${name}.ndjson` });
    await imported.filter({ hasText: 'ended' }).getByText('lines: 1, applied: 1').waitFor();
    await page.getByLabel('UIN').fill(uin);
    await page.getByLabel('UIN').press('Enter');
    // A new journal entry may not be visible until a later read.
    await dialog.getByText(/^publishEvent$|^The journal has no rows/).waitFor();
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => url.includes(uin) || !url.includes('/console'))).toEqual([page.url()]);
  });

  test.each([
    ['light', 'ltr'],
    ['dark', 'rtl'],
  ] as const)('the console is accessible (%s, %s), even on a small screen', async (colorScheme, direction) => {
    const { topic } = await failedEvent();
    const { page } = await browser.open(baseUrl, { colorScheme, viewport: { width: 320, height: 640 } });
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    const look = page.getByRole('button', { name: `View details of event ${topic.name}` });
    await look.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await look.click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('the API reference in the console sends requests with a token and loads nothing from other hosts', async () => {
    const { page, requests } = await browser.open(`${baseUrl}/console/reference`);
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'GET /v1/topics', exact: false }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().startsWith(`${baseUrl}/v1/topics`));
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answered).status()).toBe(200);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(baseUrl) && !url.startsWith('data:'))).toEqual([]);
  });
});
