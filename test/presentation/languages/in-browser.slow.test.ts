import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/domain/language.ts';
import { asPage } from '../../../shared/lambda/serve-page.ts';
import { accessibilityViolations, hasBrowser, useBrowser } from '../../harness/browser.ts';
import { everyNth } from '../../harness/every-nth.ts';
import { everyMail, everyPage } from '../../harness/every-page.ts';
import { aMailFrame, aPageFrame, fullLetterhead } from '../../harness/mail-frames.ts';

const browser = useBrowser();
const letterhead = fullLetterhead;

/** Returns the accessibility and layout errors that a browser finds at the width of a small phone. */
async function internalErrorsOf(
  written: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
  colorScheme: 'light' | 'dark',
  without: readonly string[] = [],
) {
  const { page } = await browser.open('about:blank', { viewport: { width: 320, height: 640 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  let body = '';
  await page.route('**/*', (route) => route.fulfill({ headers, body }));
  const faults: [string, unknown][] = [];
  for (const [name, html] of Object.entries(written)) {
    body = html;
    await page.goto('https://registry.example/v1/page');
    for (const fault of [
      ...(await accessibilityViolations(page, without)),
      ...(await misfitsOf(page)),
      ...complaints.splice(0),
    ])
      faults.push([name, fault]);
  }
  return faults;
}

/** Returns the layout errors: a page wider than the screen, text on the wrong side, and images that fail to load. */
const misfitsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const isWide = document.documentElement.scrollWidth > innerWidth;
    const { left, right } = document.querySelector('h1').getBoundingClientRect();
    const { direction } = getComputedStyle(document.querySelector('h1'));
    const isRight = direction === document.dir && left >= 0 && right <= innerWidth;
    const images = [...document.images].filter((one) => one.src.startsWith('data:') && one.naturalWidth === 0);
    return [...(isWide ? ['too wide'] : []), ...(isRight ? [] : ['wrong way']), ...images.map(() => 'no picture')];
  })()`);

// The colors do not depend on the language.
const views = [...languages.map((language) => ['light', language] as const), ['dark', 'ar'] as const];

describe.skipIf(!hasBrowser)('in a browser', () => {
  const each = views.map((view, index) => [...view, index] as const);
  it.each(each)('the %s pages in %s are accessible and fit the screen', async (colorScheme, language, index) => {
    const frame = aPageFrame(language, { letterhead });
    // Each page is tested in every other language.
    const pages = Object.fromEntries(everyNth(Object.entries(everyPage(frame)), 2, index));
    expect(await internalErrorsOf(pages, asPage(frame).headers, colorScheme)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('in a mail program', () => {
  const headers = { 'content-type': 'text/html' };
  // Emails need no landmarks, because the mail program provides them.
  const ofPrograms = ['landmark-one-main', 'region'];

  it.each(views)('the %s emails in %s are accessible and fit the screen', async (colorScheme, language) => {
    const mails = everyMail(aMailFrame(language, { letterhead: { ...letterhead } }));
    const some = ['confirm, filtered', 'confirm, changing', 'liveBirth', 'without an event type', 'no JSON', 'a test'];
    const written = some.map((name) => {
      const { html } = mails[name] ?? expect.fail(`no mail is called ${name}`);
      return [name, html.replace('cid:logo', letterhead.logo)];
    });
    expect(await internalErrorsOf(Object.fromEntries(written), headers, colorScheme, ofPrograms)).toEqual([]);
  });
});
