import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/domain/language.ts';
import { asPage } from '../../../shared/lambda/serve-page.ts';
import { hasBrowser, useBrowser } from '../../harness/browser.ts';
import { everyMail, everyPage } from '../../harness/every-page.ts';
import { aMailFrame, aPageFrame, fullLetterhead } from '../../harness/mail-frames.ts';
import { wrongWith } from '../../support/axe.ts';

const browser = useBrowser();
const letterhead = fullLetterhead;

/** What a browser says of each page, laid out on the narrowest of telephones: what is wrong, and what does not fit. */
async function faultsOf(
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
    for (const fault of [...(await wrongWith(page, without)), ...(await misfitsOf(page)), ...complaints.splice(0)])
      faults.push([name, fault]);
  }
  return faults;
}

/** What is wider than the screen, or begins on the wrong side of it. */
const misfitsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const isWide = document.documentElement.scrollWidth > innerWidth;
    const { left, right } = document.querySelector('h1').getBoundingClientRect();
    const { direction } = getComputedStyle(document.querySelector('h1'));
    const isRight = direction === document.dir && left >= 0 && right <= innerWidth;
    const images = [...document.images].filter((one) => one.src.startsWith('data:') && one.naturalWidth === 0);
    return [...(isWide ? ['too wide'] : []), ...(isRight ? [] : ['wrong way']), ...images.map(() => 'no picture')];
  })()`);

describe.skipIf(!hasBrowser).each(['light', 'dark'] as const)('in a browser (%s)', (colorScheme) => {
  it.each(languages)('every page in %s can be read by all, and fits', async (language) => {
    const frame = aPageFrame(language, { letterhead });
    expect(await faultsOf(everyPage(frame), asPage(frame).headers, colorScheme)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('in a mail program', () => {
  const headers = { 'content-type': 'text/html' };
  // Which part of the window is the mail, its program says.
  const ofPrograms = ['landmark-one-main', 'region'];

  it.each(languages)('mails in %s can be read by all, and fit', async (language) => {
    const mails = everyMail(aMailFrame(language, { letterhead: { ...letterhead } }));
    const chosen = ['confirm, filtered', 'confirm, changing', 'liveBirth', 'of no type', 'no JSON', 'a test'];
    const written = chosen.map((name) => [name, mails[name]?.html.replace('cid:logo', letterhead.logo) ?? '']);
    expect(await faultsOf(Object.fromEntries(written), headers, 'light', ofPrograms)).toEqual([]);
  });
});
