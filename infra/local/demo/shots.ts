import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { endWith, readCommand } from '../../operate/command-line.ts';
import { inbox } from './mailbox.ts';

readCommand(
  {},
  'npm run shots\n\nRuns the demo, and saves pictures of the console and of an email in infra/docs/pictures. Requires Chromium.',
  'npm run shots -- --help',
);

const pictures = join(import.meta.dirname, '../../docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'shots-'));
const script = join(import.meta.dirname, 'main.ts');
// The chart shows the last four minutes, so a simulated year of 160 seconds fills more than half of it.
const year = ['--seconds', '160'];

/** Runs the demo in a separate folder until its year has ended. Returns the URLs that the demo prints. */
async function runDemo(demo: ReturnType<typeof startDemo>): Promise<{ console: string; inbox: string }> {
  const addresses = { console: '', inbox: '' };
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, name = '', address = ''] = /^ {2}(Console|Inbox) +(http\S+)/.exec(line) ?? [];
    if (name !== '') addresses[name === 'Console' ? 'console' : 'inbox'] = address;
    if (line.includes('Results of the year')) return addresses;
  }
  throw new Error('the demo ended early. Run npm run demo to see the reason');
}

const startDemo = () =>
  spawn(process.execPath, [script, ...year], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });

/** Saves a picture with only 256 colours, which reduces the file size. */
const save = async (name: string, shot: Buffer): Promise<void> => {
  await sharp(shot).png({ palette: true }).toFile(join(pictures, name));
};

/**
 * Takes a picture of the upper half of the console, which contains the figures, the chart, four events and the
 * subscriptions.
 */
async function consoleShot(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1200 }, bypassCSP: true });
  await page.goto(url);
  for (const list of ['#events', '#subscriptions', '#attempts']) await page.locator(`${list} li`).first().waitFor();
  await page.addStyleTag({
    content: '#events li:nth-child(n + 5), .column section:last-child, #operator { display: none }',
  });
  const { y, height } = (await page.locator('main').boundingBox()) ?? { y: 0, height: 0 };
  return page.screenshot({ clip: { x: 0, y: 0, width: 1280, height: y + height } });
}

async function mailShot(browser: Browser, inboxUrl: string): Promise<Buffer> {
  const mails = await inbox(inboxUrl, 'clerk@example.org');
  const birth = mails.findLast(({ subject }) => subject.includes('birth'));
  const page = await browser.newPage({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  await page.setContent(birth?.body.html ?? '');
  return page.screenshot({ fullPage: true });
}

async function main(): Promise<void> {
  const demo = startDemo();
  try {
    const addresses = await runDemo(demo);
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    try {
      await save('console.png', await consoleShot(browser, addresses.console));
      await save('mail.png', await mailShot(browser, addresses.inbox));
    } finally {
      await browser.close();
    }
  } finally {
    demo.kill('SIGINT');
    await rm(folder, { recursive: true });
  }
}

main().catch((error: unknown) => endWith(error, String(error)));
