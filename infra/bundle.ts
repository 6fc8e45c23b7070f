import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import { build, type OutputFile } from 'esbuild';
import { esbuildOptions, root } from './esbuild-options.ts';
import { packingOf } from './functions-list.ts';
import { addPackages, type Platform } from './packages.ts';

/** What is deployed of a function. */
export interface Bundle {
  readonly folder: string;
  /** What CDK will call the asset by. The same sources give the same one, wherever they lie. */
  readonly hash: string;
}

/** The sources of a map as paths of the repository, in place of paths from wherever it was bundled. */
function withRepositoryPaths({ path, text }: OutputFile): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => relative(root, join(dirname(path), source)));
  return JSON.stringify({ ...map, sources });
}

/**
 * Bundles all functions in one call of esbuild, each into a folder of its own with everything it needs. Their source maps
 * stay outside, by the bundle's hash: loaded with the code they would make every start slower.
 * @param files paths under functions/ without their ending
 * @param platform the machine that native packages are for
 * @returns the bundle of a file
 */
export async function bundleFunctions(
  files: readonly string[],
  { outdir, mapsdir, platform }: { outdir: string; mapsdir: string; platform: Platform },
): Promise<(file: string) => Bundle> {
  const folderOf = (file: string): string => join(outdir, file);
  const threadsOf = (file: string) =>
    packingOf(file).threads.map((thread) => ({ in: thread, out: `${file}/${basename(thread, '.ts')}` }));
  const bundling = build({
    ...esbuildOptions,
    entryPoints: files.flatMap((file) => [{ in: `functions/${file}.ts`, out: `${file}/index` }, ...threadsOf(file)]),
    outdir,
    external: files.flatMap((file) => packingOf(file).packages),
    minify: true,
    sourcemap: 'external',
    write: false,
    logLevel: 'warning',
  });
  const adding = files.map((file) => addPackages(packingOf(file).packages, folderOf(file), platform));
  const [{ outputFiles }] = await Promise.all([bundling, ...adding]);
  const isMap = ({ path }: OutputFile): boolean => path.endsWith('.map');
  for (const { path, contents } of outputFiles.filter((one) => !isMap(one))) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n');

  const hashes = new Map(files.map((file) => [folderOf(file), FileSystem.fingerprint(folderOf(file))]));
  for (const map of outputFiles.filter(isMap)) {
    const folder = join(mapsdir, String(hashes.get(dirname(map.path))));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, basename(map.path)), withRepositoryPaths(map));
  }
  return (file) => ({ folder: folderOf(file), hash: String(hashes.get(folderOf(file))) });
}
