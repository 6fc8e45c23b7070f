import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

// As our formatter writes it: a constant at the margin, made by a call or from other values, up to the semicolon before the next
// line at the margin.
const made = /^((?:export )?const \w+(?:: [^=\n]+)?) = (?=\w[\w.\s]*\(|[{[])([\s\S]*?);$(?=\n(?:\n|\S|$)|(?![\s\S]))/gm;

// The last of what is said of a setting: the sentence for whoever deploys.
const meaning = /^ {4}meaning:[\s\S]*?,$(?=\n {2}\},?$)/gm;

/**
 * Lets the bundler leave out what is declared and not used. It must take each call for one that changes something, the making
 * of a schema, an endpoint or a store, too; these files hold nothing but values. What settings mean no function needs to know.
 */
export const unused: Plugin = {
  name: 'unused',
  setup({ onLoad }) {
    onLoad(
      { filter: /\/shared\/(?:(?:contract|domain|model)\/.*|storage\/(?:.*\/row-schemas|secrets\/store))\.ts$/ },
      async ({ path }) => {
        if (!path.startsWith(join(root, 'shared'))) return undefined;
        const source = await readFile(path, 'utf8');
        const read = path.endsWith('settings.ts') ? source.replace(meaning, '') : source;
        return { contents: read.replace(made, '$1 = /* @__PURE__ */ (() => ($2))();'), loader: 'ts' };
      },
    );
  },
};
