import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileSystem } from 'aws-cdk-lib';
import { build, type OutputFile } from 'esbuild';
import { deployedOptions, entryPointsOf } from './esbuild-options.ts';
import { type PackedSettings, packingOf } from './functions-list.ts';
import { addPackages, addTexts, type Platform } from './packages.ts';
import { packagesIn } from './sbom.ts';
import { withRepositoryPaths } from './source-maps.ts';

export interface Bundle {
  readonly folder: string;
  /** The hash of the CDK asset. The hash depends on the sources, but not on the folder that contains the sources. */
  readonly hash: string;
  readonly packages: readonly string[];
}

interface Bundling {
  readonly outdir: string;
  readonly mapsdir: string;
  /** The platform on which the native packages will run. */
  readonly platform: Platform;
  readonly settings: PackedSettings;
}

/**
 * Bundles all functions in one esbuild call, each into its own folder. Stores source maps outside the bundles, by
 * bundle hash, because deployed source maps would slow down every cold start.
 * @param files paths relative to functions/, without extension
 * @returns a function that finds the bundle of a file
 */
export async function bundleFunctions(
  files: readonly string[],
  { outdir, mapsdir, platform, settings }: Bundling,
): Promise<(file: string) => Bundle> {
  const folderOf = (file: string): string => join(outdir, file);
  const bundling = build({
    ...deployedOptions,
    entryPoints: files.flatMap((file) => entryPointsOf({ file, ...packingOf(file, settings) })),
    outdir,
    external: files.flatMap((file) => packingOf(file, settings).packages),
    sourcemap: 'external',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  const adding = files.flatMap((file) => [
    addPackages(packingOf(file, settings).packages, folderOf(file), platform),
    addTexts(packingOf(file, settings).texts, folderOf(file)),
  ]);
  const [{ outputFiles, metafile }] = await Promise.all([bundling, ...adding]);
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
    await writeFile(join(folder, basename(map.path)), withRepositoryPaths(map.path, map.text));
  }
  return (file) => {
    const folder = folderOf(file);
    return { folder, hash: String(hashes.get(folder)), packages: packagesIn(metafile, folder) };
  };
}
