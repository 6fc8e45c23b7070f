import { globSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from '../esbuild-options.ts';

/** The folder of the package that a file is in; undefined for a source of ours, or for what a plugin has made. */
function packageOf(input: string): string | undefined {
  const [, folder] = input.match(/^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? [];
  return folder === undefined ? undefined : resolve(root, folder);
}

/**
 * The packages of which a function's folder holds something: those that esbuild has put into its files, not those that it only
 * looked at, and those that lie there as they are.
 * @param folder absolute, below the folder that esbuild has written to
 */
export function heldPackages({ outputs }: Metafile, folder: string): string[] {
  const bundled = Object.entries(outputs)
    .filter(([output]) => resolve(root, output).startsWith(folder + sep))
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => packageOf(input) ?? []);
  const copied = globSync('node_modules/{[!@.]*,@*/*}/package.json', { cwd: folder }).map((file) =>
    join(folder, file, '..'),
  );
  return [...new Set([...bundled, ...copied])].toSorted();
}
