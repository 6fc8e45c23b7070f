import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type OutputFile } from 'esbuild';
import { addPackages, addTexts } from '../../build/packages.ts';
import { withRepositoryPaths } from '../../build/source-maps.ts';
import { entryPointsOf, esbuildOptions, type FunctionSource, root } from '../../esbuild-options.ts';
import { sharePackages } from '../functions/share-packages.ts';

/** The functions' code while somebody works on it: readable, with source maps, and built in the blink of an eye. */
export interface DevBundles {
  /**
   * Bundles what these saved sources (as paths of the repository) reach.
   * @returns the files (of functions/, without ending) whose code has changed
   * @throws an Error in one line where a source has one
   */
  build(saved: ReadonlySet<string>): Promise<string[]>;
  /** From now on for other functions than before, unless they cannot be bundled. */
  use(functions: readonly FunctionSource[]): Promise<string[]>;
  /** Where the code of a file is now. */
  folderOf(file: string): string;
}

interface Built {
  readonly code: string;
  readonly version: number;
}

function inOneLine(error: unknown): Error {
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
  const besideOf = (file: string): string => join(folder, 'code', file, 'beside');

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
      for (const name of readdirSync(besideOf(file))) symlinkSync(join(besideOf(file), name), join(target, name));
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

  // Who imports whom, so that a save bundles the functions that it reaches and no others.
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
      throw inOneLine(error);
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
  let due = new Set<string>();
  const isReached = (one: FunctionSource): boolean =>
    entryPointsOf(one).some((entry) => !importsOf.has(entry.in) || reaches(entry.in, due));

  const use = async (functions: readonly FunctionSource[]): Promise<string[]> => {
    await Promise.all(
      functions.map(async ({ file, packages, texts }) => {
        mkdirSync(besideOf(file), { recursive: true });
        await addPackages(packages, besideOf(file), 'here');
        await addTexts(texts, besideOf(file));
      }),
    );
    const changed = await bundle(functions.filter(isReached));
    current = functions;
    due = new Set();
    return changed;
  };

  await use(given);
  return {
    use,
    folderOf,
    async build(saved) {
      // What an error has held up is bundled with the next save.
      for (const path of saved) due.add(path);
      const changed = await bundle(current.filter(isReached));
      due = new Set();
      return changed;
    },
  };
}
