import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { esbuildOptions } from '../../esbuild-options.ts';

/**
 * Packages are bundled once and shared by all functions, so that a save bundles a few hundred sources of ours and nothing
 * else. What a function ships unbundled (native code) it finds in the project's own node_modules.
 */
export function sharePackages(folder: string) {
  const wanted = new Set<string>();
  const place = (name: string): string => join(folder, 'packages', name);
  let bundled = 0;
  const plugin = (unbundled: readonly string[]): Plugin => ({
    name: 'shared-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || unbundled.includes(path)) return undefined;
        wanted.add(path);
        return { path: pathToFileURL(`${place(path)}.mjs`).href, external: true };
      });
    },
  });
  const bundle = async () => {
    if (wanted.size === bundled) return;
    bundled = wanted.size;
    const entryPoints = [...wanted].map((name) => ({ in: name, out: name }));
    await build({ ...esbuildOptions, entryPoints, outdir: place(''), splitting: true, logLevel: 'silent' });
  };
  return { plugin, bundle };
}
