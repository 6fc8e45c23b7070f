import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildContext, type BuildFailure, build, context, type OutputFile, type Plugin } from 'esbuild';
import { entryPointsOf, esbuildOptions, type FunctionSource, root } from '../esbuild-options.ts';
import { addPackages } from '../packages.ts';
import { withRepositoryPaths } from '../source-maps.ts';

/** The functions' code while somebody works on it: readable, with source maps, and built in the blink of an eye. */
export interface DevBundles {
  /**
   * Builds what the sources are now.
   * @returns the files (of functions/, without ending) whose code has changed since the last time
   * @throws an Error in one line where a source has one
   */
  build(): Promise<string[]>;
  /** The same for other functions than before, which replace them unless they cannot be built. */
  use(functions: readonly FunctionSource[]): Promise<string[]>;
  /** Where the code of a file is now. */
  folderOf(file: string): string;
  stop(): Promise<void>;
}

interface Built {
  readonly code: string;
  readonly version: number;
}

/**
 * Packages are bundled once and shared by all functions, so that a save bundles a few hundred sources of ours and nothing
 * else. What a function ships unbundled (native code) it finds in the project's own node_modules.
 */
function sharePackages(folder: string, unbundled: readonly string[]) {
  const wanted = new Set<string>();
  const place = (name: string): string => join(folder, 'packages', name);
  let bundled = 0;
  const plugin: Plugin = {
    name: 'shared-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || unbundled.includes(path)) return undefined;
        wanted.add(path);
        return { path: pathToFileURL(`${place(path)}.mjs`).href, external: true };
      });
    },
  };
  const bundle = async () => {
    if (wanted.size === bundled) return;
    bundled = wanted.size;
    const entryPoints = [...wanted].map((name) => ({ in: name, out: name }));
    await build({ ...esbuildOptions, entryPoints, outdir: place(''), splitting: true, logLevel: 'silent' });
  };
  return { plugin, bundle };
}

function inOneLine(error: unknown): Error {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return error as Error;
  const { file, line, column } = first.location ?? {};
  return new Error(`${file === undefined ? '' : `${file}:${line}:${(column ?? 0) + 1} `}${first.text}`);
}

export async function createDevBundles(given: readonly FunctionSource[], folder: string): Promise<DevBundles> {
  let current: { bundling: BuildContext; bundlePackages: () => Promise<void> } | undefined;
  const built = new Map<string, Built>();
  const folderAt = (file: string, version: number): string => join(folder, 'code', file, String(version));
  const folderOf = (file: string): string => folderAt(file, built.get(file)?.version ?? 0);
  const packagesOf = (file: string): string => join(folder, 'code', file, 'packages');

  const write = (file: string, outputs: readonly OutputFile[]): boolean => {
    const isMap = ({ path }: OutputFile): boolean => path.endsWith('.map');
    const code = outputs
      .filter((one) => !isMap(one))
      .map(({ hash }) => hash)
      .join();
    const before = built.get(file);
    const isNew = before?.code !== code;
    const version = (before?.version ?? 0) + (isNew ? 1 : 0);
    built.set(file, { code, version });
    const target = folderAt(file, version);
    if (isNew) {
      mkdirSync(target, { recursive: true });
      const packages = join(packagesOf(file), 'node_modules');
      if (existsSync(packages)) symlinkSync(packages, join(target, 'node_modules'));
      // Calls that began before the last save may still run there.
      rmSync(folderAt(file, version - 2), { recursive: true, force: true });
    }
    // The same code from other lines has another map.
    for (const output of outputs.filter((one) => isNew || isMap(one))) {
      const text = isMap(output)
        ? withRepositoryPaths(output.path, output.text, pathToFileURL(root).href)
        : output.text;
      writeFileSync(join(target, basename(output.path)), text);
    }
    return isNew;
  };

  const rebuild = async ({ bundling, bundlePackages }: NonNullable<typeof current>): Promise<string[]> => {
    const { outputFiles = [] } = await bundling.rebuild().catch((error: unknown) => {
      throw inOneLine(error);
    });
    await bundlePackages();
    const outputs = Map.groupBy(outputFiles, ({ path }) => relative(join(folder, 'code'), dirname(path)));
    return [...outputs].filter(([file, ofFile]) => write(file, ofFile)).map(([file]) => file);
  };

  const use = async (functions: readonly FunctionSource[]): Promise<string[]> => {
    const packages = sharePackages(
      folder,
      functions.flatMap((one) => one.packages),
    );
    const bundling = await context({
      ...esbuildOptions,
      entryPoints: functions.flatMap(entryPointsOf),
      outdir: join(folder, 'code'),
      external: functions.flatMap((one) => one.packages),
      plugins: [packages.plugin],
      sourcemap: 'linked',
      write: false,
      logLevel: 'silent',
    });
    try {
      await Promise.all(functions.map(({ file, packages: own }) => addPackages(own, packagesOf(file), 'here')));
      const next = { bundling, bundlePackages: packages.bundle };
      const changed = await rebuild(next);
      await current?.bundling.dispose();
      current = next;
      return changed;
    } catch (error) {
      await bundling.dispose();
      throw error;
    }
  };

  await use(given);
  return {
    build: async () => (current ? rebuild(current) : []),
    use,
    folderOf,
    stop: async () => current?.bundling.dispose(),
  };
}
