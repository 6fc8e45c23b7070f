import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns all violations of WCAG 2.2 on the current page, including those of level AAA.
 * @param without the IDs of rules that do not apply
 */
export const accessibilityViolations = async (page: Page, without: readonly string[] = []): Promise<unknown[]> =>
  page.evaluate(`(async () => {
    ${axe}
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const rules = Object.fromEntries(${JSON.stringify(without)}.map((id) => [id, { enabled: false }]));
    return (await axe.run({ runOnly, rules })).violations.map(({ id, nodes }) => [id, nodes[0].html]);
  })()`);

/** The Debian package `chromium` installs the browser. Browser tests are skipped if the browser is not installed. */
const executablePath = '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];
// Only a browser test that hangs reaches the timeout.
const timeout = 240_000;

/** Starts a real browser for the test file. */
export function useBrowser() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (hasBrowser) browser = await chromium.launch({ executablePath, args, timeout });
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a page in a new browser session. `requests` collects every URL that the page requests. */
    async open(url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; requests: string[] }> {
      if (browser === undefined) throw new Error('the browser runs only during tests');
      const context = await browser.newContext(options);
      context.setDefaultTimeout(timeout);
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      return { page, requests };
    },
  };
}
