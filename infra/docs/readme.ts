import { readFileSync, writeFileSync } from 'node:fs';
import { readCommand } from '../operate/command-line.ts';
import { fillTables } from './fill-tables.ts';
import { readmeTables } from './readme-tables.ts';

readCommand({}, 'npm run readme\n\nUpdates the generated tables in the Markdown files.', 'npm run readme -- --help');

for (const [name, tables] of Object.entries(readmeTables)) {
  const file = new URL(`../../${name}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const filled = fillTables(text, tables);
  if (filled !== text) writeFileSync(file, filled);
  console.log(`${filled === text ? 'unchanged' : 'written  '}  ${name}`);
}
