import { expect, test } from 'vitest';
import { rowSchemas } from '../../shared/storage/schemas-by-table.ts';
import { sourceFiles } from '../harness/source-files.ts';

test('every schema of stored rows is in the list that is used to compare releases', () => {
  const code = sourceFiles('shared/storage').map((file) => file.code);
  const readers = code.flatMap((text) => [...text.matchAll(/\b(?:fromItem|readRows?)\(\s*(?:z\.pick\()?(\w+)/g)]);
  const listed = Object.values(rowSchemas).flatMap((schemas) => Object.keys(schemas));
  // Excludes the name of a parameter and a schema that describes only part of a row.
  const read = [...new Set(readers.map(([, name]) => name))].filter(
    (name) => name !== 'schema' && name !== 'deliveryOutcome',
  );
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter((name) => !listed.includes(String(name)))).toEqual([]);
});
