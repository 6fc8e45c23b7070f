import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type OutputFile, type Plugin } from 'esbuild';
import { entryPointsOf, esbuildOptions, type FunctionSource, root } from '../../build/esbuild-options.ts';
import { addPackages, addTexts } from '../../build/packages.ts';
import { withRepositoryPaths } from '../../build/source-maps.ts';

/**
 * Bundles each npm package once for all functions, so that a reload bundles only the project's own sources. Functions
 * load native packages from the project's node_modules.
 */
function sharePackages(folder: string) {
  const wanted = new Set<string>();
  const pathOf = (name: string): string => join(folder, 'packages', name);
  let bundled = 0;
  const plugin = (unbundled: readonly string[]): Plugin => ({
    name: 'shared-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || unbundled.includes(path)) return undefined;
        wanted.add(path);
        return { path: pathToFileURL(`${pathOf(path)}.mjs`).href, external: true };
      });
    },
  });
  const bundle = async () => {
    if (wanted.size === bundled) return;
    bundled = wanted.size;
    const entryPoints = [...wanted].map((name) => ({ in: name, out: name }));
    await build({ ...esbuildOptions, entryPoints, outdir: pathOf(''), splitting: true, logLevel: 'silent' });
  };
  return { plugin, bundle };
}

export interface DevBundles {
  /**
   * Bundles the functions that depend on the saved sources, which are given as repository paths.
   * @returns the functions whose code has changed, as paths relative to functions/ without an extension
   * @throws Error with one line if a source has an error
   */
  build(saved: ReadonlySet<string>): Promise<string[]>;
  /** Replaces the list of bundled functions. If bundling fails, the previous list stays in use. */
  use(functions: readonly FunctionSource[]): Promise<string[]>;
  folderOf(file: string): string;
}

interface Built {
  readonly code: string;
  readonly version: number;
}

function singleLineError(error: unknown): Error {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return error as Error;
  const { file, line, column } = first.location ?? {};
  return new Error(`${file === undefined ? '' : `${file}:${line}:${(column ?? 0) + 1} `}${first.text}`);
}

export async function createDevBundles(given: readonly FunctionSource[], folder: string): Promise<DevBundles> {
  const shared = sharePackages(folder);
  const built = new Map<string, Built>();
  const folderAt = (file: string, version: number): string => join(folder, 'code', file, String(version));
  const folderOf = (file: string): string => folderAt(file, built.get(file)?.version ?? 0);
  const extrasOf = (file: string): string => join(folder, 'code', file, 'extras');

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
      for (const name of readdirSync(extrasOf(file))) symlinkSync(join(extrasOf(file), name), join(target, name));
      // Keeps the previous version, because calls that are still running may use it.
      rmSync(folderAt(file, version - 2), { recursive: true, force: true });
    }
    // Writes the source maps even if the code has not changed, because lines may have moved in the sources.
    for (const output of outputs.filter((one) => isNew || isMap(one))) {
      const text = isMap(output)
        ? withRepositoryPaths(output.path, output.text, pathToFileURL(root).href)
        : output.text;
      writeFileSync(join(target, basename(output.path)), text);
    }
    return isNew;
  };

  // The import graph shows which functions depend on a saved source.
  const importsOf = new Map<string, readonly string[]>();
  const reaches = (from: string, changed: ReadonlySet<string>, seen = new Set<string>()): boolean => {
    if (changed.has(from)) return true;
    seen.add(from);
    return (importsOf.get(from) ?? []).some((next) => !seen.has(next) && reaches(next, changed, seen));
  };

  const bundle = async (functions: readonly FunctionSource[]): Promise<string[]> => {
    if (functions.length === 0) return [];
    const unbundled = functions.flatMap(({ packages }) => packages);
    const { outputFiles, metafile } = await build({
      ...esbuildOptions,
      entryPoints: functions.flatMap(entryPointsOf),
      outdir: join(folder, 'code'),
      external: unbundled,
      plugins: [...esbuildOptions.plugins, shared.plugin(unbundled)],
      sourcemap: 'linked',
      metafile: true,
      write: false,
      logLevel: 'silent',
    }).catch((error: unknown) => {
      throw singleLineError(error);
    });
    await shared.bundle();
    for (const [path, { imports }] of Object.entries(metafile.inputs)) {
      importsOf.set(
        path,
        imports.filter(({ external }) => !external).map((one) => one.path),
      );
    }
    const outputs = Map.groupBy(outputFiles, ({ path }) => relative(join(folder, 'code'), dirname(path)));
    return [...outputs].filter(([file, ofFile]) => write(file, ofFile)).map(([file]) => file);
  };

  let current: readonly FunctionSource[] = [];
  let pending = new Set<string>();
  const isAffected = (one: FunctionSource): boolean =>
    entryPointsOf(one).some((entry) => !importsOf.has(entry.in) || reaches(entry.in, pending));

  const use = async (functions: readonly FunctionSource[]): Promise<string[]> => {
    await Promise.all(
      functions.map(async ({ file, packages, texts }) => {
        mkdirSync(extrasOf(file), { recursive: true });
        await addPackages(packages, extrasOf(file), 'here');
        await addTexts(texts, extrasOf(file));
      }),
    );
    const changed = await bundle(functions.filter(isAffected));
    current = functions;
    pending = new Set();
    return changed;
  };

  await use(given);
  return {
    use,
    folderOf,
    async build(saved) {
      // If bundling fails, the saved sources stay pending until the next save.
      for (const path of saved) pending.add(path);
      const changed = await bundle(current.filter(isAffected));
      pending = new Set();
      return changed;
    },
  };
}
