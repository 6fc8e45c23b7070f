import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'test', 'faults');

/**
 * Lists the promises of the files in test/faults with this prefix, in Markdown: the first sentence of each.
 * @throws an Error if a file does not begin with its promise
 */
export function faultPromises(prefix: string): string {
  const items = globSync(`${prefix}-*.test.ts`, { cwd: folder })
    .toSorted()
    .map((file) => {
      const [, promise] =
        readFileSync(join(folder, file), 'utf8').match(/^\/\*\n \* Promise: ([\s\S]*?)\n \*(?:\/|\n)/) ?? [];
      if (promise === undefined) throw new Error(`test/faults/${file} does not begin with its promise`);
      const [name = ''] = file.slice(prefix.length + 1).split('.');
      const [sentence = ''] = promise.replaceAll('\n * ', ' ').split(/(?<=\.) /);
      return `- ${name.replaceAll('-', ' ')}: ${sentence}`;
    });
  return items.join('\n');
}
