import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'test', 'faults');

/**
 * Lists the promises of the files in test/faults with this prefix, in Markdown.
 * @throws an Error if a file does not begin with its promise
 */
export function faultPromises(prefix: string): string {
  const ending = '.test.ts';
  const files = globSync(`${prefix}-*${ending}`, { cwd: folder }).map((file) => basename(file, ending));
  const items = files.toSorted().map((name) => {
    const file = `${name}${ending}`;
    const [, promise] =
      readFileSync(join(folder, file), 'utf8').match(/^\/\*\n \* Promise: ([\s\S]*?)\n \*(?:\/|\n)/) ?? [];
    if (promise === undefined) throw new Error(`test/faults/${file} does not begin with its promise`);
    const title = name.slice(prefix.length + 1).replaceAll('-', ' ');
    return `- **[${title}](${file})**: ${promise.replaceAll('\n * ', ' ')}`;
  });
  return items.join('\n');
}
