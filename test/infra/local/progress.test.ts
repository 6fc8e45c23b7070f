import { expect, test } from 'vitest';
import { createPaint } from '../../../infra/local/console/terminal.ts';
import { createProgress } from '../../../infra/local/progress.ts';

function aStream(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  return { written, startProgress: createProgress(stream, createPaint({ isTTY: false }, {})) };
}

test('progress updates a single line on a terminal, and prints nothing more after it ends', () => {
  const { written, startProgress } = aStream(true);
  const { update, clear } = startProgress('starting:');
  update('bundling ...');
  update('synthesizing ...');
  clear();
  update('too late ...');
  const shown = ['  starting: bundling ...', '  starting: synthesizing ...', ''];
  expect(written).toEqual(shown.map((line) => `\r\u001b[K${line}`));
});
