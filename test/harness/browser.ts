import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** Debian's package `chromium`; without it, tests in a browser are shown as skipped. */
const executablePath = '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];

/** A real browser for this test file. */
export function useBrowser() {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (hasBrowser) browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());
  return {
    /** Opens a page in a session of its own; `requests` is every address that the page asked for. */
    async open(url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; requests: string[] }> {
      if (browser === undefined) throw new Error('the browser runs during tests only');
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      return { page, requests };
    },
  };
}
