import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Edit } from './edit.ts';
import { chosenEdits, editsVariable } from './mode.ts';
import { mutations } from './mutations.ts';
import { small } from './small.ts';

const root = join(import.meta.dirname, '../../..');
const sets: Readonly<Record<string, readonly Edit[]>> = { small, ...mutations };

const edits = chosenEdits().flatMap((name) => {
  const named = sets[name];
  if (named === undefined) throw new Error(`${editsVariable} contains the unknown name ${name}`);
  return named;
});
const editsOf = Map.groupBy(edits, ({ file }) => pathToFileURL(join(root, file)).href);

// Node.js compiles the edited text of source files. Import this module before the modules that it edits.
registerHooks({
  load(url, context, next) {
    const result = next(url, context);
    const source = editsOf.get(url)?.reduce((all, { text, replacement }) => {
      if (all.split(text).length !== 2) throw new Error(`${url} does not contain exactly once: ${text}`);
      return all.replace(text, () => replacement);
    }, String(result.source));
    return source === undefined ? result : { ...result, source };
  },
});
