import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBar } from '../../../../infra/local/import/progress-bar.ts';

const watched = (isTTY: boolean) => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });

test('without a terminal, the progress bar prints a line at regular intervals until it is cleared', async () => {
  const stream = watched(false);
  const bar = createBar(stream, 1);
  bar.show('7 lines', 0.256);
  const lines = stream[Symbol.asyncIterator]();
  for (const _ of [1, 2]) expect(await lines.next()).toMatchObject({ value: '7 lines (25 %)\n' });
  bar.clear();
  stream.read();
  await sleep(20);
  expect(stream.read()).toBeNull();
});

test('on a terminal, the progress bar updates in place', () => {
  const stream = watched(true);
  const bar = createBar(stream);
  bar.show('7 lines', 0.25);
  bar.clear();
  expect(stream.read()).toBe(`\r\u001b[K${'█'.repeat(8)}${'░'.repeat(24)}  25 % 7 lines\r\u001b[K`);
});
