import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/** Sources whose exports are plain data, which a bundle can hold ready-made. */
export const evaluated: readonly string[] = ['shared/contract/routes.ts'];

/** Makes plain data while the stack is bundled and not at every start of a function, which then lacks all that it is made of. */
export const evaluating: Plugin = {
  name: 'evaluating',
  setup({ onLoad }) {
    for (const source of evaluated)
      onLoad({ filter: new RegExp(`/${source.replaceAll('.', '\\.')}$`) }, async () => {
        const exported = Object.entries(await import(join(root, source)));
        const lines = exported.map(([name, value]) => {
          const json = JSON.stringify(value);
          if (!isDeepStrictEqual(JSON.parse(json), value)) throw new Error(`${name} of ${source} is no plain data`);
          return `export const ${name} = ${json};`;
        });
        return { contents: lines.join('\n') };
      });
  },
};
