import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from 'playwright-core';
import { inbox } from '../local/demo/mailbox.ts';
import { endWith, readCommand } from '../operate/command-line.ts';

readCommand(
  {},
  'npm run shots\n\nRuns the demo, and writes pictures of the console and of an email into infra/docs/pictures. Requires chromium.',
  'npm run shots -- --help',
);

const pictures = join(import.meta.dirname, 'pictures');
const folder = mkdtempSync(join(tmpdir(), 'shots-'));
const script = join(import.meta.dirname, '../local/demo/main.ts');

/** Runs the demo in a separate folder until its year has ended. Returns the addresses that it prints. */
async function runDemo(demo: ReturnType<typeof startDemo>): Promise<{ console: string; inbox: string }> {
  const addresses = { console: '', inbox: '' };
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, name = '', address = ''] = /^ {2}(Console|Inbox) +(http\S+)/.exec(line) ?? [];
    if (name !== '') addresses[name === 'Console' ? 'console' : 'inbox'] = address;
    if (line.includes('What the year proves')) return addresses;
  }
  throw new Error('the demo ended early: run npm run demo to see why');
}

const startDemo = () => spawn(process.execPath, [script], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });

async function takeShots(browser: Browser, addresses: { console: string; inbox: string }): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(addresses.console);
  await page.locator('#events li').first().waitFor();
  // The chart and the latest attempts appear a second later.
  await page.locator('#attempts li').first().waitFor();
  await page.screenshot({ path: join(pictures, 'console.png') });
  const mails = await inbox(addresses.inbox, 'clerk@example.org');
  const html = mails.findLast(({ subject }) => /birth/i.test(subject))?.body.html ?? '';
  const mail = await browser.newPage({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  await mail.setContent(html);
  await mail.screenshot({ path: join(pictures, 'mail.png'), fullPage: true });
  console.log(
    mails
      .map(({ subject }) => subject)
      .slice(-5)
      .join('\n'),
  );
}

async function main(): Promise<void> {
  const demo = startDemo();
  try {
    const addresses = await runDemo(demo);
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    await takeShots(browser, addresses).finally(() => browser.close());
  } finally {
    demo.kill('SIGINT');
    await rm(folder, { recursive: true });
  }
}

main().catch((error: unknown) => endWith(error, String(error)));
