import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readmeTables } from '../support/readme-tables.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test.each(Object.entries(readmeTables))('the table of %s in README.md is that of the contract', (_, table) => {
  const [head = ''] = table.split('\n');
  const start = readme.indexOf(head);
  expect(start, head).toBeGreaterThan(-1);
  expect(readme.slice(start, start + table.length)).toBe(table);
});
