import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mutations, survivors } from './mutations.ts';
import { small } from './small.ts';

const root = join(import.meta.dirname, '../../..');

it.each(Object.entries({ ...mutations, small }))(
  'each edit in %s matches exactly one place in the source code',
  (_, edits) => {
    for (const { file, text, replacement } of edits) {
      const parts = readFileSync(join(root, file), 'utf8').split(text);
      expect(parts, `${file}: ${text}`).toHaveLength(2);
      expect(replacement).not.toBe(text);
    }
  },
);

it('every explained survivor is the name of a mutation', () => {
  expect(Object.keys(mutations)).toEqual(expect.arrayContaining(Object.keys(survivors)));
});
