import { afterAll, expect, inject, it } from 'vitest';
import { findFreePort } from '../../infra/local/aws/emulators/ports.ts';
import { createPaint } from '../../infra/local/console/terminal.ts';
import { runDemo } from '../../infra/local/demo/demo.ts';
import { readDemoOptions } from '../../infra/local/demo/options.ts';
import { startLocalStack } from '../../infra/local/start.ts';

const ending = new AbortController();
afterAll(() => ending.abort());

it('the demo simulates a year, delivers every event once, and leaves the correct data in the registry', async () => {
  const port = await findFreePort();
  const environment = { BASE_URL: `http://127.0.0.1:${port}` };
  const stack = await startLocalStack({ assembly: inject('assembly'), port, environment, onEvent: () => {} });
  try {
    const options = readDemoOptions(['--people', '100', '--seconds', '5', '--seed', '50', '--exit']);
    if (options === 'help') throw new Error('the options were not parsed');
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const startProgress = () => ({ update: () => {}, done: print, clear: () => {} });
    const paint = createPaint({ isTTY: false }, {});
    const terminal = { print, startProgress, paint, isTerminal: false, signal: ending.signal };
    const checks = await runDemo(stack, options, terminal);
    const delivered = /^[\d,]+ deliveries reached 2 receivers and a mailbox: lost 0, duplicates 0, changed 0$/;
    expect(checks).toEqual(
      [
        /^\d{3} events were published \(at least 300\)$/,
        delivered,
        /^\d+ failures injected \(\d+ times status 503, \d+ lost responses\): the registry recorded each/,
        /^6 of 6 forged deliveries were rejected/,
        /^the registry returned correct data for all [12]\d\d persons/,
      ].map((text) => ({ isGood: true, text: expect.stringMatching(text) })),
    );
    const [header = '', ...months] = lines.slice(
      lines.findIndex((line) => line.includes('births')),
      -1,
    );
    expect(header).toMatch(/month +days +births +deaths/);
    expect(months.map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['January', 'June', 'December', 'Year']),
    );
  } finally {
    ending.abort();
    await stack.stop();
  }
});
