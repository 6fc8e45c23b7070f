import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readmeTables } from '../support/readme-tables.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** A table without the white space and the dashes that bring its columns into line. */
const squeeze = (text: string): string => text.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---');

test.each(Object.entries(readmeTables))('the table of %s in README.md is that of the contract', (_, table) => {
  const [head = ''] = table.split('\n');
  const rows = squeeze(readme);
  const start = rows.indexOf(head);
  expect(start, head).toBeGreaterThan(-1);
  expect(rows.slice(start, start + table.length)).toBe(table);
});
