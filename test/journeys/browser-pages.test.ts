import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, useBrowser } from '../harness/browser.ts';
import { confirmedReader, newReader, subscriptionRow } from '../harness/mail-reader.ts';
import { openWorld } from '../harness/world.ts';

const world = await openWorld();
const browser = useBrowser();

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
/** Returns the computed value of a style property of an element. */
const styleOf = async (
  page: Page,
  selector: string,
  property: 'color' | 'backgroundColor' | 'outline' | 'fontWeight',
) => String(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`));
const isActive = async (uuid: string) => (await subscriptionRow(world, uuid))?.isActive;

/** Ways to press the only button on a page. */
const ways: readonly [name: string, options: { javaScriptEnabled?: boolean }, press: (page: Page) => Promise<void>][] =
  [
    ['by click', {}, (page) => page.getByRole('button').click()],
    ['by keyboard alone', {}, (page) => page.keyboard.press('Tab').then(() => page.keyboard.press('Enter'))],
    ['without script', { javaScriptEnabled: false }, (page) => page.getByRole('button').click()],
  ];

describe.skipIf(!hasBrowser)('pages in a browser', () => {
  test.each(ways)('a subscriber confirms %s; merely opening the page has no effect', async (_way, options, press) => {
    const { confirmLink, pending } = await newReader(world);
    const { page } = await browser.open(confirmLink, options);
    expect(await heading(page)).toBe('Confirm that you want notices from the civil registry');
    await page.reload();
    expect(await isActive(pending.uuid)).toBe(false);

    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await press(page);
    expect((await answered).status()).toBe(200);
    await page.getByRole('heading', { name: 'You will receive these notices' }).waitFor();
    expect(await isActive(pending.uuid)).toBe(true);
    await page.goto(confirmLink);
    expect(await heading(page)).toBe('You will receive these notices');
  });

  test.each(ways)(
    'a subscriber unsubscribes %s; merely opening the page has no effect',
    async (_way, options, press) => {
      const { leaveLink, pending } = await confirmedReader(world);
      const { page } = await browser.open(leaveLink, options);
      expect(await heading(page)).toBe('Stop these notices?');
      expect(await isActive(pending.uuid)).toBe(true);

      await press(page);
      await page.getByRole('heading', { name: 'You have stopped these notices' }).waitFor();
      expect(await subscriptionRow(world, pending.uuid)).toBeUndefined();
      // When the page is reloaded, the browser submits the form again.
      await page.reload();
      expect(await heading(page)).toBe('You have stopped these notices');
      await page.goto(leaveLink);
      expect(await heading(page)).toBe('You have stopped these notices');
    },
  );

  test.each([
    ['on a narrow screen', { viewport: { width: 320, height: 640 } }],
    // At a zoom of 200 %, a screen that is 1,280 pixels wide has room for 640 CSS pixels.
    ['at 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
    ['in dark mode', { colorScheme: 'dark' as const }],
  ])('a page %s fits the screen, is styled, shows the focus, and has a large button', async (_where, options) => {
    const { page, requests } = await browser.open((await newReader(world)).confirmLink, options);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const button = page.getByRole('button', { name: 'Yes, send me these notices' });
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    // The button has this weight only if the browser has applied the style sheet, whose hash is in the content security
    // policy.
    expect(await styleOf(page, 'button', 'fontWeight')).toBe('600');
    expect(await styleOf(page, 'button', 'outline')).not.toMatch(/solid/);
    await page.keyboard.press('Tab');
    expect(await styleOf(page, 'button', 'outline')).toMatch(/solid 3px$/);
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    expect(await page.title()).toMatch(/^Confirm that you want notices from the civil registry – /);
    // The page does not load resources from another origin.
    expect(requests.filter((url) => !url.startsWith(world.outputs.baseUrl))).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('the API reference is accessible and fits (%s)', async (colorScheme) => {
    const url = `${world.outputs.baseUrl}/v1/reference`;
    const { page, requests } = await browser.open(url, { colorScheme, viewport: { width: 320, height: 640 } });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(requests).toEqual([url]);
  });
});
